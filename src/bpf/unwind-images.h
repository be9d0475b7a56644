/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwind rules of images, in memory that programs in the kernel read: the part of
 * bpf/unwind-tables.h that deals with files. One thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "bpf/unwind-types.h"
#include "dwarf/unwind/flat-rules.h"

struct proc_map;
struct unwind_image;

/* The memory of the maps of the same names, and their numbers of elements. */
struct unwind_memory_maps {
	uint32_t *rows;
	struct flat_rule *rules;
	struct unwind_chunk *chunks;
	size_t rows_max, chunks_max;
};

struct unwind_images {
	struct unwind_memory_maps maps;
	struct u64_map by_file;  /* struct unwind_image, by a hash of the file's identity */
	struct u64_map by_owner; /* struct unwind_owner, by the number of the user */
	struct unwind_image **items;
	size_t n, room;
	size_t n_rows, n_chunks; /* elements of the maps that are in use */
	struct flat_rules rules;
	size_t n_wanted; /* images for which unwind_images_fill() has work to do */
	size_t n_told;   /* rules that are in the map */
	struct flat_rows buffer;
};

void unwind_images_done(struct unwind_images *u);

/*
 * Returns the image that process @pid has mapped by @m; its chunks have numbers from then on. NULL:
 * it is no file that can be read, or one that would exceed the share of @u of an image, or of all
 * images of its owner. In the second case *@ret_error is -ENOSPC: @u is full.
 */
struct unwind_image *unwind_images_find(struct unwind_images *u, int pid, const struct proc_map *m,
					int *ret_error);

struct runtime_image;
struct runtime_libc;

/*
 * Returns the runtime of a language that the image is, or NULL; and what is added to link addresses
 * to get offsets in the file.
 */
const struct runtime_image *unwind_image_runtime(const struct unwind_image *im, uint64_t *ret_bias);

/* Returns what is known about the image as a C library, or NULL: it is none. */
const struct runtime_libc *unwind_image_libc(const struct unwind_image *im);

/* Gives the numbers of the image's chunks. */
void unwind_image_chunks(const struct unwind_image *im, uint32_t *ret_first, uint32_t *ret_n);

/* Makes unwind_images_fill() load the image to which the chunk @chunk belongs. */
void unwind_images_want(struct unwind_images *u, uint32_t chunk);

/*
 * Loads a table of the chunk @chunk. If an image has reached its maximum number of rows, the rules
 * of further chunks are FLAT_CANNOT. -ENOSPC: @u is full.
 */
int unwind_images_load(struct unwind_images *u, uint32_t chunk, enum flat_table t);

/*
 * Loads a little of what will probably be requested: more of those images of which something was
 * requested. 1: there may be more; 0: there is none; -ENOSPC.
 */
int unwind_images_fill(struct unwind_images *u);

/* Sets the rules of the chunk to FLAT_CANNOT from now on, unless it is loaded. */
void unwind_images_refuse(struct unwind_images *u, uint32_t chunk, enum flat_table t);

/* Removes all images, rows and rules. All numbers of chunks become invalid. */
void unwind_images_empty(struct unwind_images *u);
