/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads small files whole: sysfs and procfs attributes, formats, configuration. Also replaces small
 * files whole, writes without stopping halfway, and searches for programs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct iovec;

/*
 * Reads @path (relative to the directory @dirfd, or AT_FDCWD) up to @limit bytes into a new,
 * NUL-terminated buffer. Trailing blanks and newlines are kept. Errors: those of open() or read();
 * -EFBIG if the file is longer than @limit. *@ret_length may be NULL.
 */
int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_length);

/* Does the same as file_read() from the descriptor @fd, which stays open. */
int file_read_fd(int fd, size_t limit, char **ret, size_t *ret_length);

/*
 * Does the same as file_read() for a one-line attribute: at most 64 KiB, without the newline at its
 * end.
 */
int file_read_line(int dirfd, const char *path, char **ret);

/*
 * Write all of @size bytes at the current position of @fd, or at the offset @at. Errors: those of
 * write(); -EIO if nothing more can be written.
 */
int file_write(int fd, const void *bytes, size_t size);
int file_write_at(int fd, const void *bytes, size_t size, off_t at);

/*
 * Writes all of @n pieces, whose contents it changes, at the offset @at; -1: at the current
 * position of @fd. *@ret_n is the number of bytes written, also on failure. Errors: those of
 * file_write().
 */
int file_writev(int fd, struct iovec *pieces, int n, off_t at, size_t *ret_n);

/*
 * Renames @from, relative to the directory @dirfd, to @to, which must not exist yet. Errors: those
 * of renameat2(); -EEXIST: @to exists.
 */
int file_rename_new(int dirfd, const char *from, const char *to);

/* True if a program called @name would be found: along $PATH, or as a path. */
bool file_is_program(const char *name);

/*
 * Makes the directory @path and its missing parents. -EACCES is also returned if the path leads
 * over a link of another user (base/file-place.h).
 */
int file_make_directories(const char *path);

/* True if @fd is a pipe, and @other, to which messages are written, is not the same one. */
bool file_is_data_pipe(int fd, int other);
