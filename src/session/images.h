/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The images that maps refer to, got from the symbolizer, with the build-ids the recording gives.
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
	struct u64_map build_ids; /* struct listed_build_id by the interned name: the last one, */
	struct u64_map of_files;  /* and those of one file by hash_of_file(), a list each */
	uint64_t seed;            /* of base/hash.h */
	struct u64_map known;     /* by the image */
	struct {
		struct image **items;
		size_t n, room;
	} list; /* in order of appearance */
};

/* @symbolizer may be NULL: images are told apart then, and no more. */
void images_init(struct images *im, struct symbolizer *symbolizer);
void images_done(struct images *im);

/*
 * The image called @name has this build-id; where several files have that name, the one that is
 * @file. (NULL: whichever.)
 */
void images_learn_build_id(struct images *im, const char *name, uint16_t misc,
			   const struct build_id *id, const struct file_id *file);

/* Empties the list of images that were asked for. Build-ids stay, and the images themselves. */
void images_forget(struct images *im);

/* Adds @image to that list, unless it is there. */
void images_note(struct images *im, struct image *image);

/* Whether @image is among those that were asked for. */
bool images_has(const struct images *im, const struct image *image);

/* The image of @key, with the build-id that is known for it unless @key has one. */
struct image *images_get(struct images *im, const struct image_key *key);
