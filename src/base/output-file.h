/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files for writing: the only way in which they are created, replaced, renamed and removed.
 *
 * Folders are opened once and links of other users are not followed (base/file-place.h). A new file
 * must not have existed before (O_EXCL), so a file that another user has put in its place is not
 * written to.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/file-place.h"

struct diag;

enum output_use {
	OUTPUT_TRUNCATE, /* the old content is removed */
	OUTPUT_APPEND,
	OUTPUT_NEW, /* an existing regular file is kept: -EEXIST */
};

/*
 * Opens @path for writing in place: for text that users follow while it grows, for devices, FIFOs
 * and /dev/stdout. Returns the descriptor; an error comes with @diag.
 */
int output_file_open(const char *path, enum output_use use, mode_t mode, struct diag *diag);

/* Does the same for a stream, which the caller closes. */
int output_file_stream(const char *path, enum output_use use, mode_t mode, FILE **ret,
		       struct diag *diag);

/* A file that appears complete, or not at all. */
struct output_file {
	struct file_place goal;
	char *temporary; /* an unpredictable name in the goal's folder; NULL: see below */
	int fd;          /* descriptor for writing the file */
};

#define OUTPUT_FILE_NONE ((struct output_file){ .goal.folder = -1, .fd = -1 })

/*
 * Begins a file that replaces @path with output_file_commit(). @flags are those of
 * file_place_find(). Without FILE_PLACE_FOLLOW, an existing file is replaced itself, even a link.
 * With it, a device, a FIFO or an open file of procfs is written in place.
 */
int output_file_begin(struct output_file *o, const char *path, unsigned flags, mode_t mode,
		      struct diag *diag);

/* Writes all @size bytes. */
int output_file_write(struct output_file *o, const void *bytes, size_t size);

/* Gives the file its name. @sync: its bytes are on the disk before that. */
int output_file_commit(struct output_file *o, bool sync);

/*
 * Does the same, but replaces nothing except a regular file of the caller. -EEXIST: something else
 * exists there.
 */
int output_file_commit_own(struct output_file *o, bool sync);

/* Closes the file, and removes it if it was not committed. */
void output_file_done(struct output_file *o);

/* Rename and remove without following a link at the end. Errors: those of rename(), unlink(). */
int output_file_rename(const char *from, const char *to);
int output_file_remove(const char *path);

/*
 * Writes @size bytes to @path and replaces any existing file: readers see the old file or the new
 * one. An existing link is replaced, not followed. Errors: those of open(),
 * write() and rename().
 */
int output_file_replace(const char *path, const void *bytes, size_t size, mode_t mode);
