/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where a recording is written to. Private to datafile/.
 *
 * A new file is always one that was not there before, in a folder that is opened once: what another
 * user puts into its place meanwhile is neither written to nor followed. Devices, FIFOs, open files
 * (/dev/stdout, /dev/fd/3) and an empty file of the user's own are written to as they are. A link
 * to one of these, or to nothing yet, is followed if base/file-place.h lets it; any other link is
 * an old recording.
 */
#include <stdbool.h>

struct diag;
struct file_place;

/*
 * Creates @path with mode 0600. What was there becomes PATH.old, or goes unless @keep_old. Returns
 * the descriptor, for reading and writing if that is possible, and where the file is. An error
 * comes with @diag.
 */
int output_create(const char *path, bool keep_old, struct file_place *ret, struct diag *diag);

/* As output_create(), for a directory of mode 0700, which is empty. */
int output_create_directory(const char *path, bool keep_old, struct file_place *ret,
			    struct diag *diag);
