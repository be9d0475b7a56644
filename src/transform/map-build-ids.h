/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Maps with the build-ids of their files, as MMAP2 records: who reads the recording elsewhere knows
 * which files are meant. Either all of them, or only those that samples lie in, which come right
 * before the first sample that needs them.
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "transform/build-id-marks.h"

struct map_build_ids;
struct transform;

/* Everything in @o is borrowed; all_images: all maps stay. */
struct map_build_ids *map_build_ids_new(const struct build_id_marks_options *o);
void map_build_ids_free(struct map_build_ids *m);
DEFINE_FREEP(map_build_ids)

struct transform *map_build_ids_transform(struct map_build_ids *m);

/* How many maps have a build-id now, and how many were left out. */
uint64_t map_build_ids_made(const struct map_build_ids *m);
uint64_t map_build_ids_left_out(const struct map_build_ids *m);
