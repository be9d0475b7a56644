/* SPDX-License-Identifier: MIT */
#include "kernel/mapped-file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/input-file.h"
#include "base/memory.h"

/* The relation between the numbers from stat() and those that the kernel records for a mapping. */
enum numbering {
	NUMBERS_SAME,
	NUMBERS_OTHER_DEVICE, /* the device differs: subvolumes have devices of their own */
	NUMBERS_LOOSE,        /* the inode may differ, too */
};

/*
 * Returns the numbering of a file's file system. A mapping of an overlay may have the inode of the
 * layer below it; the other loose ones give a file a new inode number when they read it from the
 * disk again.
 */
static enum numbering numbering_of(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return NUMBERS_SAME;
	switch ((uint32_t)fs.f_type) {
	case BTRFS_SUPER_MAGIC:
		return NUMBERS_OTHER_DEVICE;
	case OVERLAYFS_SUPER_MAGIC:
	case FUSE_SUPER_MAGIC:
	case MSDOS_SUPER_MAGIC:
	case EXFAT_SUPER_MAGIC:
	case CIFS_SUPER_MAGIC:
	case SMB2_SUPER_MAGIC:
		return NUMBERS_LOOSE;
	default:
		return NUMBERS_SAME;
	}
}

/* Returns the generation, which ext4, xfs, btrfs and f2fs report; other file systems do not. */
static uint64_t generation_of(int fd)
{
	unsigned int generation = 0;

	return ioctl(fd, FS_IOC_GETVERSION, &generation) < 0 ? 0 : generation;
}

bool mapping_is_anonymous(const char *name)
{
	/* "[anon:NAME]" is a name that the program chose with PR_SET_VMA_ANON_NAME, as V8 does. */
	static const char *const anonymous[] = { "//anon",         "[anon:", "[anon_shmem:",
						 "/dev/zero",      "[heap]", "[stack",
						 "/anon_hugepage", "/SYSV",  "/memfd:" };

	for (size_t i = 0; i < ARRAY_SIZE(anonymous); i++)
		if (strncmp(name, anonymous[i], strlen(anonymous[i])) == 0)
			return true;
	return false;
}

enum file_match file_match(int fd, const struct file_id *id)
{
	enum numbering numbering = numbering_of(fd);
	bool any_device = numbering != NUMBERS_SAME || (!id->maj && !id->min);
	struct file_id found;
	struct stat st;

	if (!id->ino)
		return FILE_MATCH_UNKNOWN;
	if (fstat(fd, &st) < 0)
		return FILE_MATCH_OTHER;
	found = (struct file_id){ .maj = any_device ? id->maj : major(st.st_dev),
				  .min = any_device ? id->min : minor(st.st_dev),
				  .ino = st.st_ino };
	if (file_id_differs(&found, id))
		return numbering == NUMBERS_LOOSE ? FILE_MATCH_UNKNOWN : FILE_MATCH_OTHER;
	if (id->generation && numbering != NUMBERS_LOOSE)
		found.generation = generation_of(fd);
	return file_id_differs(&found, id) ? FILE_MATCH_OTHER : FILE_MATCH_SAME;
}

/* A path to the file, and the file that was found there. */
struct way {
	char *path;
	int fd;
	enum file_match match;
};

#define WAY_NONE                                                                                   \
	{                                                                                          \
		.fd = -1                                                                           \
	}

static void way_done(struct way *w)
{
	free(w->path);
	closep(&w->fd);
}

/* Opens @path, which it frees or keeps, and takes it as the best if it matches @least or better. */
static int try_path(struct way *best, const struct mapping *m, char *path, enum file_match least)
{
	_cleanup_(way_done) struct way w = { .path = path, .fd = input_file_open(path) };
	struct way worse = *best;

	if (w.fd < 0)
		return w.fd;
	w.match = file_match(w.fd, &m->file);
	if (w.match < least)
		return w.match == FILE_MATCH_OTHER ? -ESTALE : 0;
	*best = w;
	w = worse;
	return 0;
}

/*
 * Tries the links in /proc/PID. They lead to the process's files whatever their paths are, so they
 * are preferred if the path cannot be checked. /proc/PID/exe may be another file than this one.
 */
static void try_process_links(struct way *best, const struct mapping *m)
{
	if (best->match != FILE_MATCH_SAME && m->end)
		try_path(best, m,
			 xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, m->pid, m->start,
				   m->end),
			 FILE_MATCH_UNKNOWN);
	if (best->match != FILE_MATCH_SAME)
		try_path(best, m, xasprintf("/proc/%d/root%s", m->pid, m->path),
			 FILE_MATCH_UNKNOWN);
	if (best->match != FILE_MATCH_SAME)
		try_path(best, m, xasprintf("/proc/%d/exe", m->pid), FILE_MATCH_SAME);
}

int mapped_file_open(const struct mapping *m, char **ret_path)
{
	_cleanup_(way_done) struct way best = WAY_NONE;
	int r;

	if (m->path[0] != '/')
		return -ENOENT;
	r = try_path(&best, m, xstrdup(m->path), FILE_MATCH_UNKNOWN);
	if (m->pid > 0)
		try_process_links(&best, m);
	if (best.fd < 0)
		return r;
	if (ret_path)
		*ret_path = TAKE(best.path);
	r = best.fd;
	best.fd = -1;
	return r;
}
