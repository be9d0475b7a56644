/* SPDX-License-Identifier: MIT */
#include "tools/daemon/files-work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define STAMP 16

/* The maximum number of files in a recording's folder; a folder with more is no recording. */
#define PARTS_MAX 4096

#define SECTOR 512

static const char *stamp_of(const char *name)
{
	size_t n = strlen(name);
	const char *stamp = n < STAMP + 2 ? NULL : name + n - STAMP;

	return stamp && stamp[-1] == '.' && strspn(stamp, "0123456789") == STAMP ? stamp : NULL;
}

bool daemon_file_is_complete(const char *name)
{
	return stamp_of(name) != NULL;
}

void daemon_files_done(struct daemon_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->items[i].name);
	free(f->items);
	*f = (struct daemon_files){ 0 };
}

static DIR *daemon_files_open_folder(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		closep(&fd);
	return dir;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static uint64_t folder_bytes(int folder, const char *name)
{
	_cleanup_(closedirp) DIR *dir = daemon_files_open_folder(folder, name);
	uint64_t bytes = 0;
	size_t n = 0;

	for (struct dirent *e; dir && n < PARTS_MAX && (e = readdir(dir)); n++) {
		struct stat st;

		if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			bytes += (uint64_t)st.st_blocks * SECTOR;
	}
	return bytes;
}

static void daemon_files_add(struct daemon_files *f, int folder, const char *name)
{
	const char *stamp = stamp_of(name);
	struct daemon_file *file;
	struct stat st;
	uint64_t bytes;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return;
	bytes = S_ISDIR(st.st_mode) ? folder_bytes(folder, name) : (uint64_t)st.st_blocks * SECTOR;
	if (!stamp) {
		f->other_bytes += bytes;
		return;
	}
	file = ARRAY_ADD(f);
	file->name = xstrdup(name);
	memcpy(file->stamp, stamp, STAMP);
	file->time_s = st.st_mtim.tv_sec;
	file->bytes = bytes;
	file->is_folder = S_ISDIR(st.st_mode);
	f->bytes += bytes;
}

/* Compares by the time of the file, because clocks may be set back; equal ones by their name. */
static int by_age(const void *a, const void *b)
{
	const struct daemon_file *x = a, *y = b;

	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	return strcmp(x->stamp, y->stamp);
}

void daemon_files_scan(int folder, struct daemon_files *ret)
{
	_cleanup_(closedirp) DIR *dir = daemon_files_open_folder(folder, ".");
	struct daemon_files f = { 0 };

	for (struct dirent *e; dir && (e = readdir(dir));)
		if (!is_dots(e->d_name))
			daemon_files_add(&f, folder, e->d_name);
	if (f.n)
		qsort(f.items, f.n, sizeof(f.items[0]), by_age);
	*ret = f;
}

size_t daemon_files_surplus(const struct daemon_files *f, const struct daemon_limits *l,
			    int64_t now_s)
{
	uint64_t bytes = f->bytes + f->other_bytes;
	size_t n = 0;

	for (; n < f->n; n++) {
		int64_t age = now_s - f->items[n].time_s;
		bool is_old = l->keep_s && age > 0 && (uint64_t)age > l->keep_s;

		if (!is_old && (!l->max_bytes || bytes <= l->max_bytes))
			break;
		bytes -= f->items[n].bytes;
	}
	return n;
}

/*
 * Removes a recording's folder, which has only files. A folder that contains folders is no
 * recording, and stays.
 */
static int remove_folder(int folder, const char *name)
{
	_cleanup_(closedirp) DIR *dir = daemon_files_open_folder(folder, name);
	size_t n = 0;

	for (struct dirent *e; dir && n < PARTS_MAX && (e = readdir(dir)); n++)
		if (!is_dots(e->d_name))
			(void)!unlinkat(dirfd(dir), e->d_name, 0);
	return unlinkat(folder, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int daemon_files_remove_one(int folder, const struct daemon_file *file)
{
	if (file->is_folder)
		return remove_folder(folder, file->name);
	return unlinkat(folder, file->name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

size_t daemon_files_remove(struct daemon_files *f, int folder, size_t n)
{
	size_t removed = 0, kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (i < n && daemon_files_remove_one(folder, &f->items[i]) >= 0) {
			f->bytes -= f->items[i].bytes;
			free(f->items[i].name);
			removed++;
		} else {
			f->items[kept++] = f->items[i];
		}
	}
	f->n = kept;
	return removed;
}

void daemon_files_keep_left(int folder)
{
	char time_text[32];
	struct stat st;
	struct tm tm;

	if (fstatat(folder, "perf.data", &st, AT_SYMLINK_NOFOLLOW) < 0 || !st.st_size)
		return;
	localtime_r(&st.st_mtim.tv_sec, &tm);
	if (!strftime(time_text, sizeof(time_text), "%Y%m%d%H%M%S", &tm))
		return;

	_cleanup_(freep) char *name = xasprintf("perf.data.%s%02u", time_text,
						(unsigned)(st.st_mtim.tv_nsec / 10000000));

	if (daemon_file_is_complete(name) && faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		(void)!renameat(folder, "perf.data", folder, name);
}
