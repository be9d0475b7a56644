/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files by which a trace buffer is set up and read: those of tracefs itself, which are the
 * global buffer's, or those of an instance.
 */
#include <stdbool.h>
#include <stddef.h>

struct trace_dir {
	int fd; /* -1: not open */
	char *path;
};

#define TRACE_DIR_NONE ((struct trace_dir){ .fd = -1 })

/* Opens the directory @path. Errors: those of open(). */
int trace_dir_open(const char *path, struct trace_dir *ret);
void trace_dir_close(struct trace_dir *d);

/* The text of @file, to be freed by the caller. Errors: those of open() and read(). */
int trace_dir_read(const struct trace_dir *d, const char *file, char **ret);

/* The same without the newline at its end. */
int trace_dir_read_line(const struct trace_dir *d, const char *file, char **ret);

/* Opens @file to be read without waiting. Returns the descriptor, or the error of open(). */
int trace_dir_open_reader(const struct trace_dir *d, const char *file);

/*
 * Makes @value what @file says; or one more of what it says. A newline is added. The error tells
 * what the kernel thinks of the value: -EINVAL, -EBUSY, ...
 */
int trace_dir_write(const struct trace_dir *d, const char *file, const char *value);
int trace_dir_append(const struct trace_dir *d, const char *file, const char *value);
