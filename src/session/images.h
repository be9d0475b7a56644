/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The images to which maps refer, from the symbolizer, with the build-ids that the recording gives.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/build-id.h"
#include "base/intern.h"
#include "base/u64-map.h"

struct build_id_entry;
struct file_id;
struct image;
struct image_key;
struct symbolizer;

struct images {
	struct symbolizer *symbolizer; /* borrowed, or own */
	struct symbolizer *own;        /* for images without names; NULL: borrowed */
	struct intern names;
	struct arena arena;
	struct u64_map build_ids; /* struct listed_build_id by interned name: the last one, */
	struct u64_map of_files;  /* and those of one file as lists by hash_of_file() */
	uint64_t seed;            /* for base/hash.h */
	struct u64_map known;     /* keyed by the image */
	struct {
		struct image **items;
		size_t n, room;
	} list; /* in order of appearance */
};

/* Initialises @im. @symbolizer may be NULL: images are only told apart then. */
void images_init(struct images *im, struct symbolizer *symbolizer);
void images_done(struct images *im);

/*
 * Notes that the image with the name @name has this build-id; if several files have that name, it
 * is the one that is @file. (NULL: any.)
 */
void images_learn_build_id(struct images *im, const char *name, uint16_t misc,
			   const struct build_id *id, const struct file_id *file);

/*
 * Empties the list of images that were looked up. Build-ids stay, and so do the images themselves.
 */
void images_forget(struct images *im);

/* Adds @image to that list, unless it is in it. */
void images_note(struct images *im, struct image *image);

/* True if @image is among those that were looked up. */
bool images_has(const struct images *im, const struct image *image);

/* Returns the image of @key, with the known build-id unless @key has one. */
struct image *images_get(struct images *im, const struct image_key *key);
