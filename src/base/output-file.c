/* SPDX-License-Identifier: MIT */
#include "base/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"

/* Limits the retries while another process keeps removing and creating the same name. */
#define TRIES 100

static int output_file_cannot(struct diag *diag, const char *path, int error)
{
	return diag_set(diag, error, "cannot write '%s': %s", path, strerror(-error));
}

/*
 * True if a file that is to be overwritten has several hard links: it may be another user's trap.
 */
static bool is_trap(const struct file_place *p, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_nlink > 1 && file_place_is_shared(p);
}

/* Opens an existing file. FILE_PLACE_PLANTED, -EMLINK: it may be another user's trap. */
static int output_file_open_existing(const struct file_place *p, enum output_use use)
{
	_cleanup_(closep) int fd = -1;
	struct stat st;

	/* Another user's FIFO is not even opened, because that would wait for its reader. */
	if (fstatat(p->folder, p->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    file_place_is_planted(p, &st))
		return FILE_PLACE_PLANTED;
	fd = openat(p->folder, p->name,
		    O_WRONLY | O_CLOEXEC | O_NOCTTY | (use == OUTPUT_APPEND ? O_APPEND : 0) |
			    (p->is_proc ? 0 : O_NOFOLLOW));
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (file_place_is_planted(p, &st))
		return FILE_PLACE_PLANTED;
	if (S_ISREG(st.st_mode) && use == OUTPUT_NEW && !p->is_proc)
		return -EEXIST;
	if (!p->is_proc && is_trap(p, &st))
		return -EMLINK;
	if (S_ISREG(st.st_mode) && use == OUTPUT_TRUNCATE && ftruncate(fd, 0) < 0)
		return -errno;

	int taken = fd;

	fd = -1;
	return taken;
}

static int open_once(const struct file_place *p, enum output_use use, mode_t mode)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fd;

	if (p->is_proc)
		return output_file_open_existing(p, use);
	fd = openat(p->folder, p->name, flags | (use == OUTPUT_APPEND ? O_APPEND : 0), mode);
	if (fd >= 0 || errno != EEXIST)
		return fd < 0 ? -errno : fd;
	return output_file_open_existing(p, use);
}

int output_file_open(const char *path, enum output_use use, mode_t mode, struct diag *diag)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	int r = file_place_find(path, FILE_PLACE_FOLLOW, &p, diag);

	if (r < 0)
		return r;
	/* -ENOENT: the file existed, and then did not. */
	for (int i = 0; i < TRIES; i++) {
		r = open_once(&p, use, mode);
		if (r != -ENOENT)
			break;
	}
	if (r == FILE_PLACE_PLANTED)
		return file_place_refuse_planted(path, diag);
	if (r == -EMLINK) {
		diag_set(diag, r,
			 "cannot write '%s': the file has other names too, and others may "
			 "write in this folder",
			 path);
		diag_hint(diag, "Remove it first, if it is what you take it for.");
		return r;
	}
	return r < 0 ? output_file_cannot(diag, path, r) : r;
}

int output_file_stream(const char *path, enum output_use use, mode_t mode, FILE **ret,
		       struct diag *diag)
{
	int fd = output_file_open(path, use, mode, diag);
	FILE *f = fd < 0 ? NULL : fdopen(fd, use == OUTPUT_APPEND ? "a" : "w");

	if (fd < 0)
		return fd;
	if (!f) {
		int r = output_file_cannot(diag, path, -errno);

		close(fd);
		return r;
	}
	*ret = f;
	return 0;
}

static int create_temporary(struct output_file *o, mode_t mode)
{
	uint64_t number;

	for (int i = 0; i < TRIES; i++) {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return -EIO;
		free(o->temporary);
		o->temporary = xasprintf(".perf-%016" PRIx64, number);
		o->fd = openat(o->goal.folder, o->temporary,
			       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (o->fd >= 0 || errno != EEXIST)
			break;
	}
	return o->fd < 0 ? -errno : 0;
}

/* True for a device, a FIFO or an open file of procfs, which is written in place. */
static bool is_no_file(const struct file_place *p)
{
	struct stat st;

	return p->is_proc || (fstatat(p->folder, p->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			      !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode) && !S_ISDIR(st.st_mode));
}

static int open_in_place(struct output_file *o, mode_t mode)
{
	o->fd = open_once(&o->goal, OUTPUT_TRUNCATE, mode);
	return o->fd < 0 ? o->fd : 0;
}

int output_file_begin(struct output_file *o, const char *path, unsigned flags, mode_t mode,
		      struct diag *diag)
{
	int r;

	*o = OUTPUT_FILE_NONE;
	r = file_place_find(path, flags, &o->goal, diag);
	if (r < 0)
		return r;
	r = flags & FILE_PLACE_FOLLOW && is_no_file(&o->goal) ? open_in_place(o, mode)
							      : create_temporary(o, mode);
	if (r < 0)
		output_file_done(o);
	if (r == FILE_PLACE_PLANTED)
		return file_place_refuse_planted(path, diag);
	return r < 0 ? output_file_cannot(diag, path, r) : r;
}

int output_file_write(struct output_file *o, const void *bytes, size_t size)
{
	return file_write(o->fd, bytes, size);
}

int output_file_commit(struct output_file *o, bool sync)
{
	if (!o->temporary)
		return 0;
	if (sync && fsync(o->fd) < 0)
		return -errno;
	if (renameat(o->goal.folder, o->temporary, o->goal.folder, o->goal.name) < 0)
		return -errno;
	free(TAKE(o->temporary));
	return 0;
}

/*
 * Returns a positive number if the goal is a regular file of the caller. 0: there is no file;
 * -EEXIST: something else.
 */
static int goal_is_own(const struct file_place *p)
{
	struct stat st;

	if (fstatat(p->folder, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	return S_ISREG(st.st_mode) && st.st_uid == geteuid() ? 1 : -EEXIST;
}

int output_file_commit_own(struct output_file *o, bool sync)
{
	int own = goal_is_own(&o->goal);

	/* With the sticky bit set, nobody else can put another file in the place of our own. */
	if (own)
		return own < 0 ? own : output_file_commit(o, sync);
	if (sync && fsync(o->fd) < 0)
		return -errno;
	/* output_file_done() removes its first name. */
	return linkat(o->goal.folder, o->temporary, o->goal.folder, o->goal.name, 0) < 0 ? -errno
											 : 0;
}

void output_file_done(struct output_file *o)
{
	if (o->temporary && o->fd >= 0)
		unlinkat(o->goal.folder, o->temporary, 0);
	closep(&o->fd);
	free(o->temporary);
	file_place_done(&o->goal);
	*o = OUTPUT_FILE_NONE;
}

int output_file_rename(const char *from, const char *to)
{
	_cleanup_(file_place_done) struct file_place a = FILE_PLACE_NONE, b = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = file_place_find(from, 0, &a, &ignored);

	if (r >= 0)
		r = file_place_find(to, 0, &b, &ignored);
	if (r >= 0 && renameat(a.folder, a.name, b.folder, b.name) < 0)
		r = -errno;
	return r;
}

int output_file_remove(const char *path)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = file_place_find(path, 0, &p, &ignored);

	if (r >= 0 && unlinkat(p.folder, p.name, 0) < 0)
		r = -errno;
	return r;
}

int output_file_replace(const char *path, const void *bytes, size_t size, mode_t mode)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = output_file_begin(&o, path, 0, mode, &ignored);

	if (r >= 0)
		r = output_file_write(&o, bytes, size);
	return r < 0 ? r : output_file_commit(&o, false);
}
