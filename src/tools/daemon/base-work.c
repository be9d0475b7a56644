/* SPDX-License-Identifier: MIT */
#include "tools/daemon/base-work.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"

int daemon_base_open(const char *path, struct daemon_base *ret, struct diag *diag)
{
	_cleanup_(freep) char *real = realpath(path, NULL);
	int folder, r;

	folder = real ? open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (folder >= 0) {
		*ret = DAEMON_BASE_NONE;
		ret->path = TAKE(real);
		ret->folder = folder;
		return 0;
	}
	r = -errno;
	if (r == -ENOENT) {
		diag_set(diag, r, "base '%s' does not exist", path);
		diag_hint(diag, "Make it first: mkdir -p -m 700 '%s'", path);
		return r;
	}
	diag_set(diag, r, "can't access base '%s': %s", path, strerror(-r));
	if (r == -EACCES)
		diag_hint(diag, "It is another user's. Choose a folder of yours with --base.");
	return r;
}

int daemon_base_check(const struct daemon_base *b, struct diag *diag)
{
	struct stat st;

	if (fstat(b->folder, &st) < 0)
		return diag_set(diag, -errno, "can't access base '%s': %s", b->path,
				strerror(errno));
	if (st.st_uid != 0 && st.st_uid != geteuid()) {
		diag_set(diag, -EPERM, "base '%s' belongs to another user (uid %u)", b->path,
			 (unsigned)st.st_uid);
		diag_hint(diag, "That user could replace what is written there. Choose a folder "
				"of yours, or chown it.");
		return -EPERM;
	}
	if (st.st_mode & S_IWOTH) {
		diag_set(diag, -EPERM, "everybody may write to base '%s'", b->path);
		diag_hint(diag, "Use a folder of its own: mkdir -m 700 '%s/perf'", b->path);
		return -EPERM;
	}
	if (faccessat(b->folder, ".", W_OK | X_OK, AT_EACCESS) < 0) {
		int r = -errno;

		diag_set(diag, r, "cannot write to base '%s': %s", b->path, strerror(-r));
		diag_hint(diag, r == -EROFS ? "Its file system is mounted for reading only."
					    : "Choose a folder of yours with --base.");
		return r;
	}
	return 0;
}

/*
 * Returns the owner of the lock: from the kernel, or from the file if the owner is in another pid
 * namespace.
 */
static long daemon_base_owner_of(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char text[32] = "";

	if (fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0)
		return lock.l_pid;
	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? strtol(text, NULL, 10) : 0;
}

static bool daemon_base_is_ours(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	       (st.st_uid == geteuid() || st.st_uid == 0);
}

static int cannot_lock(const struct daemon_base *b, int error, struct diag *diag)
{
	diag_set(diag, error, "cannot write '%s/lock': %s", b->path, strerror(-error));
	if (error == -ENOSPC || error == -EDQUOT)
		diag_hint(diag, "Make room there first: 'df %s' shows what there is.", b->path);
	return error;
}

int daemon_base_lock(struct daemon_base *b, struct diag *diag)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	_cleanup_(closep) int fd = openat(
		b->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0640);
	char text[32];
	int n, r;

	if (fd < 0)
		return cannot_lock(b, -errno, diag);
	if (!daemon_base_is_ours(fd))
		return diag_set(diag, -EPERM, "'%s/lock' is not a file of ours: remove it",
				b->path);
	if (fcntl(fd, F_SETLK, &lock) < 0) {
		if (errno == EAGAIN || errno == EACCES)
			return diag_set(diag, -EBUSY, "another perf daemon (pid %ld) owns %s",
					daemon_base_owner_of(fd), b->path);
		return cannot_lock(b, -errno, diag);
	}
	n = snprintf(text, sizeof(text), "%ld", (long)getpid());
	r = ftruncate(fd, 0) < 0 ? -errno : file_write(fd, text, (size_t)n);
	if (r < 0)
		return cannot_lock(b, r, diag);
	b->lock = fd;
	fd = -1;
	return 0;
}

uint64_t daemon_base_room(const struct daemon_base *b)
{
	struct statvfs fs;

	if (fstatvfs(b->folder, &fs) < 0)
		return UINT64_MAX;
	return (geteuid() == 0 ? fs.f_bfree : fs.f_bavail) * (uint64_t)fs.f_frsize;
}

void daemon_base_close(struct daemon_base *b)
{
	closep(&b->folder);
	closep(&b->lock);
	free(b->path);
	*b = DAEMON_BASE_NONE;
}

int daemon_open_output(int folder, const char *name)
{
	_cleanup_(closep) int fd =
		openat(folder, name,
		       O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
	int r;

	if (fd < 0)
		return -errno;
	if (!daemon_base_is_ours(fd))
		return -EPERM;
	r = fd;
	fd = -1;
	return r;
}
