/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The destination of a recording. Private to datafile/.
 *
 * A new file must not have existed before, and its folder is opened once, so a file that another
 * user puts into its place in the meantime is neither written to nor followed. Devices, FIFOs, open
 * files (/dev/stdout, /dev/fd/3) and an empty file of the user's own are written in place. A link
 * to one of these, or to nothing yet, is followed if base/file-place.h permits it; any other link
 * counts as an old recording.
 */
#include <stdbool.h>

struct diag;
struct file_place;

/*
 * Creates @path with mode 0600. An existing file becomes PATH.old, or is removed unless @keep_old.
 * Returns the descriptor, for reading and writing if possible, and the place of the file. An error
 * comes with @diag.
 */
int output_create(const char *path, bool keep_old, struct file_place *ret, struct diag *diag);

/* Does the same as output_create() for a directory of mode 0700, which is empty. */
int output_create_directory(const char *path, bool keep_old, struct file_place *ret,
			    struct diag *diag);
