/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Build-ids in the MMAP2 records of a file that was recorded with inodes.
 *
 * Where several files had the same path, other readers cannot see from the list of build-ids
 * which of them a map refers to; they can if the MMAP2 record has the build-id. A record with a
 * build-id is as long as one with an inode, so records are changed in place.
 */
#include "datafile/features.h"

struct diag;

/*
 * Changes the maps of those files in @f's list of build-ids that have namesakes (entries with a
 * file), in the recording at @path, whose data is complete. Compressed records and those in the
 * parts of a directory stay as they are. Returns how many were changed, or the error of reading
 * or writing the file.
 */
int map_build_ids_write(const char *path, const struct features *f, struct diag *diag);
