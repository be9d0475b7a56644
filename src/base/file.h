/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Small files read whole: sysfs and procfs attributes, formats, configuration. Also small files
 * replaced whole, writes that do not stop halfway, and the search for programs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct iovec;

/*
 * Reads @path (relative to the directory @dirfd, or AT_FDCWD) up to @limit bytes into a fresh,
 * NUL-terminated buffer. Trailing blanks and newlines stay. Errors: that of open() or read();
 * -EFBIG if it is longer than @limit. *@ret_length may be NULL.
 */
int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_length);

/* As file_read(), from the descriptor @fd, which stays open. */
int file_read_fd(int fd, size_t limit, char **ret, size_t *ret_length);

/* As file_read(), for a one-line attribute: at most 64 KiB, without the newline at its end. */
int file_read_line(int dirfd, const char *path, char **ret);

/*
 * Writes all of @size bytes where @fd stands, or at the offset @at. Errors: those of write(); -EIO
 * if nothing can be written any more.
 */
int file_write(int fd, const void *bytes, size_t size);
int file_write_at(int fd, const void *bytes, size_t size, off_t at);

/*
 * Writes all of @n pieces, which are used up, at the offset @at; -1: where @fd stands. *@ret_n is
 * the number of bytes written, also on failure. Errors as those of file_write().
 */
int file_writev(int fd, struct iovec *pieces, int n, off_t at, size_t *ret_n);

/*
 * Writes @size bytes to @path, in the place of what is there: readers see the old file or the new
 * one. A link that is there is replaced, not followed (base/output-file.h). Errors: those of
 * open(), write() and rename().
 */
int file_replace(const char *path, const void *bytes, size_t size, mode_t mode);

/*
 * Renames @from, relative to the directory @dirfd, to @to, which must not be there yet. Errors:
 * those of renameat2(); -EEXIST: @to is there.
 */
int file_rename_new(int dirfd, const char *from, const char *to);

/* Whether a program called @name would be found: along $PATH, or as the path it is. */
bool file_is_program(const char *name);

/*
 * Makes the directory @path and its missing parents. -EACCES also if a link of another user is on
 * the way (base/file-place.h).
 */
int file_make_directories(const char *path);

/* Is @fd a pipe, and @other, to which messages go, not the same one? */
bool file_is_data_pipe(int fd, int other);
