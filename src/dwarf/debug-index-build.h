/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The pass over all entries of debug information that makes its index (dwarf/debug-index.h).
 */
#include "dwarf/debug-index.h"

struct progress;

/*
 * Reads the units of @files and makes the index of them, with several threads. If units of the
 * first file turn out to be split, @add_split is called once and appends the files that have the
 * rest; of these the index is then too. The units of @files are those of the index in the end.
 * @progress may be NULL.
 */
struct debug_index *debug_index_build(struct die_files *files,
				      void (*add_split)(void *arg, struct die_files *files),
				      void *arg, struct progress *progress);
