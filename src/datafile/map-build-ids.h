/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Build-ids in the MMAP2 records of a file that was recorded with inodes.
 *
 * If several files had the same path, the list of build-ids does not tell other readers to which of
 * them a map refers, but a build-id in the MMAP2 record does. A record with a build-id is as long
 * as one with an inode, so records are changed in place.
 */
#include "datafile/features.h"

struct diag;

/*
 * Changes the maps of those files in @f's list of build-ids that have namesakes (entries with a
 * file), in the recording at @path, whose data is complete. Compressed records and those in the
 * parts of a directory are not changed. Returns the number of changed maps, or the error of reading
 * or writing the file.
 */
int map_build_ids_write(const char *path, const struct features *f, struct diag *diag);
