/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "kernel/kept-files.h"
#include "kernel/mapped-file.h"
#include "symbol/image.h"
#include "kernel/process-files.h"

/* True if inodes can be compared: the recording is of this machine and has the inode. */
static bool is_checked(const struct image *im)
{
	return symbolizer_is_here(im->symbolizer) && im->file.ino &&
	       !symbolizer_options(im->symbolizer)->symfs;
}

static char *unchecked_path(const struct image *im)
{
	const char *symfs = symbolizer_options(im->symbolizer)->symfs;
	char *inner = symfs ? NULL : process_path(im->pid, im->name);

	return inner ? inner : xasprintf("%s%s", symfs ? symfs : "", im->name);
}

static int kept_path(const struct image *im, char **ret)
{
	struct kept_files *kept = symbolizer_kept(im->symbolizer);
	int fd = -ENOENT;

	if (kept && im->file.ino)
		fd = kept_files_find(kept, &im->file);
	else if (kept)
		fd = kept_files_find_build(kept, &im->asked_id);
	if (fd >= 0)
		*ret = xasprintf("/proc/self/fd/%d", fd);
	return fd < 0 ? fd : 0;
}

/* True if the file, with the same inode, was written to since it was recorded. */
static bool was_written_since(const struct image *im, int fd)
{
	uint64_t since_ns = symbolizer_since(im->symbolizer);
	struct stat st;

	return since_ns && fstat(fd, &st) == 0 &&
	       (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec > since_ns;
}

/*
 * Finds the image's own path, if it certainly leads to the file; debug files are found beside it.
 */
static int image_file_own_path(const struct image *im, char **ret)
{
	const struct mapping m = { .path = im->name, .file = im->file };
	_cleanup_(freep) char *path = NULL;
	_cleanup_(closep) int fd = mapped_file_open(&m, &path);

	if (fd < 0)
		return fd;
	if (file_match(fd, &im->file) != FILE_MATCH_SAME || was_written_since(im, fd))
		return -ESTALE;
	*ret = TAKE(path);
	return 0;
}

static int path_through_process(const struct image *im, char **ret)
{
	const struct mapping m = { .pid = im->pid,
				   .path = im->name,
				   .start = im->map_start,
				   .end = im->map_end,
				   .file = im->file };
	_cleanup_(freep) char *path = NULL;
	_cleanup_(closep) int fd = mapped_file_open(&m, &path);

	if (fd < 0)
		return fd;
	if (was_written_since(im, fd))
		return -ESTALE;
	*ret = TAKE(path);
	return 0;
}

/*
 * Finds the path on any device. Long after the recording devices may have other numbers: those of
 * disks change at boot, those of mounts without a disk with every mount.
 */
static int path_on_any_device(const struct image *im, char **ret)
{
	struct mapping m = { .path = im->name, .file = im->file };
	_cleanup_(freep) char *path = NULL;
	_cleanup_(closep) int fd = -1;

	m.file.maj = m.file.min = 0;
	fd = mapped_file_open(&m, &path);
	if (fd < 0)
		return fd;
	if (was_written_since(im, fd))
		return -ESTALE;
	*ret = TAKE(path);
	return 0;
}

int image_file_path(const struct image *im, char **ret)
{
	_cleanup_(freep) char *kept = NULL;
	int r = kept_path(im, &kept);

	if (r == -ESTALE)
		return r;
	if (!is_checked(im)) {
		*ret = kept ? TAKE(kept) : unchecked_path(im);
		return 0;
	}
	if (image_file_own_path(im, ret) >= 0)
		return 0;
	if (kept) {
		*ret = TAKE(kept);
		return 0;
	}
	r = path_through_process(im, ret);
	if (r < 0 && !symbolizer_kept(im->symbolizer))
		r = path_on_any_device(im, ret);
	return r;
}
