/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files that are written: the one way in which they are created, replaced, renamed and removed.
 *
 * Folders are opened once and links of other users are not followed (base/file-place.h). A new file
 * is one that was not there before (O_EXCL), so that whatever another user has put in its place is
 * not written to.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/file-place.h"

struct diag;

enum output_use {
	OUTPUT_TRUNCATE, /* what was in there goes */
	OUTPUT_APPEND,
	OUTPUT_NEW, /* a regular file that is there stays: -EEXIST */
};

/*
 * Opens @path for writing where it is: for text that people follow while it grows, for devices,
 * FIFOs and /dev/stdout. Returns the descriptor; an error comes with @diag.
 */
int output_file_open(const char *path, enum output_use use, mode_t mode, struct diag *diag);

/* The same as a stream, which the caller closes. */
int output_file_stream(const char *path, enum output_use use, mode_t mode, FILE **ret,
		       struct diag *diag);

/* A file that appears complete, or not at all. */
struct output_file {
	struct file_place goal;
	char *temporary; /* a name in the goal's folder that nobody can foresee; NULL: see below */
	int fd;          /* to write to */
};

#define OUTPUT_FILE_NONE ((struct output_file){ .goal.folder = -1, .fd = -1 })

/*
 * Begins a file that takes the place of @path with output_file_commit(). @flags are those of
 * file_place_find(): without FILE_PLACE_FOLLOW, whatever is there is replaced itself, a link too.
 * With it, a device, a FIFO or an open file of procfs is written to where it is.
 */
int output_file_begin(struct output_file *o, const char *path, unsigned flags, mode_t mode,
		      struct diag *diag);

/* Writes all of it. */
int output_file_write(struct output_file *o, const void *bytes, size_t size);

/* Gives the file its name. @sync: its bytes are on the disk before. */
int output_file_commit(struct output_file *o, bool sync);

/*
 * The same, but replaces nothing except a regular file of the caller. -EEXIST: something else is
 * there.
 */
int output_file_commit_own(struct output_file *o, bool sync);

/* Closes; a file that was not committed is removed. */
void output_file_done(struct output_file *o);

/* Renames and removes without following a link at the end. Errors: those of rename(), unlink(). */
int output_file_rename(const char *from, const char *to);
int output_file_remove(const char *path);
