/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwind rules of images, in memory that programs in the kernel see: the part of
 * bpf/unwind-tables.h that knows files. One thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "bpf/unwind-types.h"
#include "dwarf/unwind/flat-rules.h"

struct proc_map;
struct unwind_image;

/* Memory of the maps of the same names, and how many elements they have. */
struct unwind_memory_maps {
	uint32_t *rows;
	struct flat_rule *rules;
	struct unwind_chunk *chunks;
	size_t rows_max, chunks_max;
};

struct unwind_images {
	struct unwind_memory_maps maps;
	struct u64_map by_file;  /* struct unwind_image, by a hash of what identifies the file */
	struct u64_map by_owner; /* struct unwind_owner, by the number of the user */
	struct unwind_image **items;
	size_t n, room;
	size_t n_rows, n_chunks; /* of the maps that are in use */
	struct flat_rules rules;
	size_t n_wanted; /* images that unwind_images_fill() has something to do for */
	size_t n_told;   /* rules that are in the map */
	struct flat_rows buffer;
};

void unwind_images_done(struct unwind_images *u);

/*
 * The image that process @pid has mapped by @m; its chunks have numbers from then on. NULL: it is
 * no file that can be read, or one that would take more of @u than an image, or than all images of
 * its owner, may have. -ENOSPC of the second: @u is full.
 */
struct unwind_image *unwind_images_find(struct unwind_images *u, int pid, const struct proc_map *m,
					int *ret_error);

/* The numbers of its chunks. */
void unwind_image_chunks(const struct unwind_image *im, uint32_t *ret_first, uint32_t *ret_n);

/* unwind_images_fill() shall load the image that the chunk @chunk is of. */
void unwind_images_want(struct unwind_images *u, uint32_t chunk);

/*
 * Loads a table of the chunk @chunk. Of an image that has as many rows as one may have, the rules
 * of further chunks are FLAT_CANNOT. -ENOSPC: @u is full.
 */
int unwind_images_load(struct unwind_images *u, uint32_t chunk, enum flat_table t);

/*
 * Loads a little of what will probably be asked for: more of those images that something was asked
 * of. 1: there may be more; 0: there is none; -ENOSPC.
 */
int unwind_images_fill(struct unwind_images *u);

/* The rules of the chunk are FLAT_CANNOT from now on, unless it is loaded. */
void unwind_images_refuse(struct unwind_images *u, uint32_t chunk, enum flat_table t);

/* Forgets all images, rows and rules. No number of a chunk is valid any more. */
void unwind_images_empty(struct unwind_images *u);
