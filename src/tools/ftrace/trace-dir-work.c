/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/trace-dir-work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

/* The maximum size of a setting. The names of 100,000 functions in a filter take some 3 MB. */
#define SETTING_SIZE_MAX (64 << 20)

int trace_dir_open(const char *path, struct trace_dir *ret)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret = (struct trace_dir){ .fd = fd, .path = xstrdup(path) };
	return 0;
}

void trace_dir_close(struct trace_dir *d)
{
	closep(&d->fd);
	free(d->path);
	*d = TRACE_DIR_NONE;
}

int trace_dir_read(const struct trace_dir *d, const char *file, char **ret)
{
	return file_read(d->fd, file, SETTING_SIZE_MAX, ret, NULL);
}

int trace_dir_read_line(const struct trace_dir *d, const char *file, char **ret)
{
	return file_read_line(d->fd, file, ret);
}

int trace_dir_open_reader(const struct trace_dir *d, const char *file)
{
	int fd = openat(d->fd, file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Writes @value with a newline. The kernel takes a value when it sees the blank after it. Without
 * the newline it would check the value only when the file is closed, and its error would be lost.
 */
static int write_value(const struct trace_dir *d, const char *file, int flags, const char *value)
{
	_cleanup_(closep) int fd = openat(d->fd, file, O_WRONLY | O_CLOEXEC | flags);
	_cleanup_(freep) char *line = xasprintf("%s\n", value);

	return fd < 0 ? -errno : file_write(fd, line, strlen(line));
}

int trace_dir_write(const struct trace_dir *d, const char *file, const char *value)
{
	return write_value(d, file, O_TRUNC, value);
}

int trace_dir_append(const struct trace_dir *d, const char *file, const char *value)
{
	return write_value(d, file, O_APPEND, value);
}
