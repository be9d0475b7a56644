/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/memory.h"

/* Reads until the end, because sysfs and procfs do not report true sizes. */
int file_read_fd(int fd, size_t limit, char **ret, size_t *ret_length)
{
	_cleanup_(freep) char *buffer = NULL;
	size_t room = 0, length = 0;

	for (;;) {
		buffer = array_reserve(buffer, &room, length + 4096, 1);
		ssize_t n = read(fd, buffer + length, room - length - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		length += (size_t)n;
		if (length > limit)
			return -EFBIG;
	}
	buffer[length] = '\0';
	*ret = TAKE(buffer);
	if (ret_length)
		*ret_length = length;
	return 0;
}

int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_length)
{
	_cleanup_(closep) int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : file_read_fd(fd, limit, ret, ret_length);
}

int file_read_line(int dirfd, const char *path, char **ret)
{
	int r = file_read(dirfd, path, 64 << 10, ret, NULL);

	if (r < 0)
		return r;
	(*ret)[strcspn(*ret, "\n")] = '\0';
	return 0;
}

/* Removes @n bytes from the front of @pieces. */
static void use_up(struct iovec *pieces, size_t n)
{
	for (; n; pieces++) {
		size_t part = n < pieces->iov_len ? n : pieces->iov_len;

		pieces->iov_base = (char *)pieces->iov_base + part;
		pieces->iov_len -= part;
		n -= part;
	}
}

int file_writev(int fd, struct iovec *pieces, int n, off_t at, size_t *ret_n)
{
	size_t done = 0;
	int r = 0;

	while (n && r >= 0) {
		ssize_t got;

		if (!pieces->iov_len) {
			pieces++;
			n--;
			continue;
		}
		got = at < 0 ? writev(fd, pieces, n) : pwritev(fd, pieces, n, at + (off_t)done);
		if (got > 0) {
			use_up(pieces, (size_t)got);
			done += (size_t)got;
		} else if (got == 0 || errno != EINTR) {
			r = got < 0 ? -errno : -EIO;
		}
	}
	*ret_n = done;
	return r;
}

int file_write_at(int fd, const void *bytes, size_t size, off_t at)
{
	struct iovec all = { .iov_base = (void *)bytes, .iov_len = size };
	size_t done;

	return file_writev(fd, &all, 1, at, &done);
}

int file_write(int fd, const void *bytes, size_t size)
{
	return file_write_at(fd, bytes, size, -1);
}

int file_rename_new(int dirfd, const char *from, const char *to)
{
	/* The C library has a function for it only since glibc 2.28. */
	if (syscall(SYS_renameat2, dirfd, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	return -errno;
}

static bool is_executable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool file_is_program(const char *name)
{
	const char *dir = getenv("PATH");

	if (!*name || strchr(name, '/'))
		return is_executable(name);
	while (dir && *dir) {
		size_t n = strcspn(dir, ":");
		_cleanup_(freep) char *path = xasprintf("%.*s/%s", (int)n, n ? dir : ".", name);

		if (is_executable(path))
			return true;
		dir += n + (dir[n] == ':');
	}
	return false;
}

int file_make_directories(const char *path)
{
	_cleanup_(freep) char *inner = xasprintf("%s/.", path);
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };

	return file_place_find(inner, FILE_PLACE_MAKE_FOLDERS, &p, &ignored);
}

bool file_is_data_pipe(int fd, int other)
{
	struct stat data, messages;

	if (fstat(fd, &data) < 0 || !S_ISFIFO(data.st_mode))
		return false;
	return fstat(other, &messages) < 0 || messages.st_dev != data.st_dev ||
	       messages.st_ino != data.st_ino;
}
