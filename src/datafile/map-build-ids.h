/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Build-ids in the MMAP2 records of a file that was recorded with inodes.
 *
 * Where several files had one path, the list of build-ids cannot tell other readers which of them a
 * map is of; records with build-ids do. They are as long as those with inodes, so they are changed
 * where they are.
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
