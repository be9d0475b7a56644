/* SPDX-License-Identifier: MIT */
#include "datafile/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "datafile/old-output.h"

/*
 * Limits the retries while another user keeps putting something there between rotation and
 * creation.
 */
#define TRIES 1000

static bool is_written_in_place(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return !st->st_size && st->st_uid == geteuid() && st->st_nlink == 1;
	return !S_ISDIR(st->st_mode) && !S_ISLNK(st->st_mode);
}

/* Moves on to the target of the link at @p, if nothing is lost by writing there. */
static void follow_link(const char *path, struct file_place *p)
{
	struct file_place goal = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct stat st;

	if (fstatat(p->folder, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISLNK(st.st_mode) ||
	    file_place_find(path, FILE_PLACE_FOLLOW, &goal, &ignored) < 0)
		return;
	if (goal.is_proc || fstatat(goal.folder, goal.name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    is_written_in_place(&st)) {
		struct file_place link = *p;

		*p = goal;
		goal = link;
	}
	file_place_done(&goal);
}

static int open_as_it_is(const struct file_place *p)
{
	int flags = O_CLOEXEC | O_NOCTTY | (p->is_proc ? O_TRUNC : O_NOFOLLOW);
	struct stat st;
	/*
	 * A FIFO is opened only for writing: a process that also has it open for reading counts as
	 * its reader, and never sees that there is no other.
	 */
	bool fifo = fstatat(p->folder, p->name, &st, p->is_proc ? 0 : AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISFIFO(st.st_mode);
	int fd = openat(p->folder, p->name, (fifo ? O_WRONLY : O_RDWR) | flags);

	/* The device cannot be read. */
	if (fd < 0 && (errno == EINVAL || errno == EACCES || errno == ENXIO))
		fd = openat(p->folder, p->name, O_WRONLY | flags);
	return fd < 0 ? -errno : fd;
}

/*
 * Opens an existing file, if it is to be written in place. -EEXIST: it is not; FILE_PLACE_PLANTED:
 * another user has put it there.
 */
static int output_open_existing(const struct file_place *p)
{
	_cleanup_(closep) int fd = -1;
	struct stat st;

	if (!p->is_proc && fstatat(p->folder, p->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!is_written_in_place(&st))
			return -EEXIST;
		if (file_place_is_planted(p, &st))
			return FILE_PLACE_PLANTED;
	}
	fd = open_as_it_is(p);
	if (fd < 0)
		return fd == -ELOOP ? -EEXIST : fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!p->is_proc && !is_written_in_place(&st))
		return -EEXIST;
	if (file_place_is_planted(p, &st))
		return FILE_PLACE_PLANTED;

	int taken = fd;

	fd = -1;
	return taken;
}

static int create_file(const struct file_place *p)
{
	int fd;

	if (p->is_proc)
		return output_open_existing(p);
	fd = openat(p->folder, p->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 || errno != EEXIST)
		return fd < 0 ? -errno : fd;
	return output_open_existing(p);
}

/*
 * Creates a directory. If another user swaps it, files are made in that user's directory, but only
 * new ones.
 */
static int create_directory(const struct file_place *p)
{
	int fd;

	if (mkdirat(p->folder, p->name, 0700) < 0)
		return -errno;
	fd = openat(p->folder, p->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int output_refuse(const char *path, int error, struct diag *diag)
{
	if (error == FILE_PLACE_PLANTED)
		return file_place_refuse_planted(path, diag);
	diag_set(diag, error, "cannot create '%s': %s", path, strerror(-error));
	if (error == -EACCES || error == -EROFS)
		diag_hint(diag, "Name a file in a folder that you may write to with -o.");
	if (error == -EEXIST)
		diag_hint(diag, "Somebody puts other files there all the time: write elsewhere.");
	return error;
}

static int datafile_output_create(const char *path, bool keep_old,
				  int (*fn)(const struct file_place *p), struct file_place *ret,
				  struct diag *diag)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	int r = file_place_find(path, 0, &p, diag);

	if (r < 0)
		return r;
	follow_link(path, &p);
	for (int i = 0; i < TRIES; i++) {
		r = fn(&p);
		/*
		 * -ENOENT, -ELOOP, -ENOTDIR: the file that existed a moment ago no longer does, or
		 * is a link.
		 */
		if (r == -EEXIST) {
			int e = old_output_rotate(&p, path, keep_old, diag);

			if (e < 0 && e != -ENOENT)
				return e;
		} else if (r != -ENOENT && r != -ELOOP && r != -ENOTDIR) {
			break;
		}
	}
	if (r < 0)
		return output_refuse(path, r, diag);
	*ret = p;
	p = FILE_PLACE_NONE;
	return r;
}

int output_create(const char *path, bool keep_old, struct file_place *ret, struct diag *diag)
{
	return datafile_output_create(path, keep_old, create_file, ret, diag);
}

int output_create_directory(const char *path, bool keep_old, struct file_place *ret,
			    struct diag *diag)
{
	return datafile_output_create(path, keep_old, create_directory, ret, diag);
}
