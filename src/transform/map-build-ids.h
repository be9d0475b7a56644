/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Adds the build-ids of files to their maps, as MMAP2 records, so that readers on other machines
 * know the exact files. This applies either to all maps, or only to those with samples, which then
 * come right before the first sample that needs them.
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "transform/build-id-marks.h"

struct map_build_ids;
struct transform;

/* Everything in @o is borrowed. all_images: all maps are kept. */
struct map_build_ids *map_build_ids_new(const struct build_id_marks_options *o);
void map_build_ids_free(struct map_build_ids *m);
DEFINE_FREEP(map_build_ids)

struct transform *map_build_ids_transform(struct map_build_ids *m);

/*
 * Return the number of maps that have a build-id now, and the number of those that were left out.
 */
uint64_t map_build_ids_made(const struct map_build_ids *m);
uint64_t map_build_ids_left_out(const struct map_build_ids *m);
