/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes an index (dwarf/debug-index.h) in one pass over all entries of debug information.
 */
#include "dwarf/debug-index.h"

struct progress;

/*
 * Reads the units of @files with several threads and makes their index. If units of the first file
 * are split, @add_split is called once and appends the files with their other parts, which are
 * indexed, too. Afterwards the units of @files are those of the index. @progress may be NULL.
 */
struct debug_index *debug_index_build(struct die_files *files,
				      void (*add_split)(void *arg, struct die_files *files),
				      void *arg, struct progress *progress);
