/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files with which a trace buffer is set up and read: those of tracefs itself for the global
 * buffer, or those of an instance.
 */
#include <stdbool.h>
#include <stddef.h>

struct trace_dir {
	int fd; /* -1: not open */
	char *path;
};

#define TRACE_DIR_NONE ((struct trace_dir){ .fd = -1 })

/* Opens the directory @path. Errors are those of open(). */
int trace_dir_open(const char *path, struct trace_dir *ret);
void trace_dir_close(struct trace_dir *d);

/* Reads the text of @file, which the caller frees. Errors are those of open() and read(). */
int trace_dir_read(const struct trace_dir *d, const char *file, char **ret);

/* Does the same, but without the newline at the end. */
int trace_dir_read_line(const struct trace_dir *d, const char *file, char **ret);

/* Opens @file for reading without waiting. Returns the descriptor, or the error of open(). */
int trace_dir_open_reader(const struct trace_dir *d, const char *file);

/*
 * trace_dir_write() writes @value to @file; trace_dir_append() appends it. A newline is added. The
 * error is the kernel's answer to the value: -EINVAL, -EBUSY, ...
 */
int trace_dir_write(const struct trace_dir *d, const char *file, const char *value);
int trace_dir_append(const struct trace_dir *d, const char *file, const char *value);
