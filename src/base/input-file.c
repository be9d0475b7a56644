/* SPDX-License-Identifier: MIT */
#include "base/input-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/memory.h"

/*
 * The last two flags have no effect on regular files; they are for the case without /proc, see
 * input_file_reopen().
 */
#define READ_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static const long kernel_file_systems[] = {
	PROC_SUPER_MAGIC, SYSFS_MAGIC,    DEBUGFS_MAGIC,      TRACEFS_MAGIC,
	SECURITYFS_MAGIC, BPF_FS_MAGIC,   CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
	PSTOREFS_MAGIC,   EFIVARFS_MAGIC, SELINUX_MAGIC,
};

static bool input_is_of_kernel(int found)
{
	struct statfs fs;

	if (fstatfs(found, &fs) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_file_systems); i++)
		if ((long)fs.f_type == kernel_file_systems[i])
			return true;
	return false;
}

/*
 * Finds a path below /proc/PID/root, whose links stay inside the root of that process: see
 * base/file-place.h.
 */
static int input_find_in_process(const char *path, int flags)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	unsigned follow = flags & O_NOFOLLOW ? 0 : FILE_PLACE_FOLLOW;
	int r = file_place_find(path, follow | FILE_PLACE_ANY_LINK, &p, &ignored), fd;

	if (r < 0)
		return r;
	fd = openat(p.folder, p.name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool is_in_process(const char *path)
{
	const char *pid = strncmp(path, "/proc/", 6) == 0 ? path + 6 : "";
	size_t digits = strspn(pid, "0123456789");

	return digits && strncmp(pid + digits, "/root/", 6) == 0;
}

static int input_find(const char *path, int flags)
{
	int fd;

	if (is_in_process(path))
		return input_find_in_process(path, flags);
	fd = open(path, O_PATH | O_CLOEXEC | flags);
	return fd < 0 ? -errno : fd;
}

/* Returns 0 if the file that @fd refers to can be opened safely. */
static int input_file_check(int fd, bool may_be_of_kernel, struct stat *ret)
{
	if (fstat(fd, ret) < 0)
		return -errno;
	if (S_ISLNK(ret->st_mode))
		return -ELOOP;
	if (!S_ISREG(ret->st_mode) || (!may_be_of_kernel && input_is_of_kernel(fd)))
		return -EINVAL;
	return 0;
}

int input_file_find(const char *path, int flags, struct stat *ret)
{
	_cleanup_(closep) int fd = input_find(path, flags);
	struct stat st;
	int r = fd < 0 ? fd : input_file_check(fd, !strcmp(path, "/proc/kcore"), &st);

	if (r < 0)
		return r;
	if (ret)
		*ret = st;

	int found = fd;

	fd = -1;
	return found;
}

/*
 * Opens the path a second time, where /proc is not mounted, and checks that it leads to the same
 * file.
 */
static int input_reopen_path(int found, const char *path)
{
	_cleanup_(closep) int fd = open(path, READ_FLAGS);
	struct stat a, b;

	if (fd < 0 || fstat(found, &a) < 0 || fstat(fd, &b) < 0)
		return -errno;
	if (a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return -ESTALE;

	int same = fd;

	fd = -1;
	return same;
}

int input_file_reopen(int found, const char *path)
{
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(int)];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	fd = open(link, READ_FLAGS);
	if (fd >= 0)
		return fd;
	return errno == ENOENT ? input_reopen_path(found, path) : -errno;
}

int input_file_open_at(int folder, const char *name, struct stat *ret)
{
	_cleanup_(closep) int found = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	_cleanup_(freep) char *path = NULL;
	struct stat st;
	int r = found < 0 ? -errno : input_file_check(found, false, &st);

	if (r >= 0) {
		path = xasprintf("/proc/self/fd/%d/%s", folder, name);
		r = input_file_reopen(found, path);
	}
	if (r >= 0)
		*ret = st;
	return r;
}

int input_file_open(const char *path)
{
	_cleanup_(closep) int found = input_file_find(path, 0, NULL);

	return found < 0 ? found : input_file_reopen(found, path);
}
