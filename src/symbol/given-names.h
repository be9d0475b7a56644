/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions whose names came with the recording, as in recordings of other profilers, so that no
 * file is needed. They have no addresses: each gets a range above GIVEN_NAMES, where there is no
 * code.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/build-id.h"
#include "base/cleanup.h"
#include "symbol/table.h"

#define GIVEN_NAMES (UINT64_C(1) << 46)

struct given_image;
struct given_names;
struct symbolizer;

struct given_names *given_names_new(void);
void given_names_free(struct given_names *g);
DEFINE_FREEP(given_names)

/*
 * Returns the image with the name @name in MMAP records, with this build-id; it is made if there is
 * none.
 */
struct given_image *given_names_image(struct given_names *g, const char *name,
				      const struct build_id *id);

/* Adds a function, whose name is copied. @start must be above GIVEN_NAMES, and ascending. */
void given_image_add(struct given_image *im, uint64_t start, uint64_t end, const char *name,
		     bool is_inlined);

/*
 * Returns the functions of an image, demangled by @pretty (NULL: not demangled); NULL: there are
 * none.
 */
struct symbol_table *given_names_find(struct given_names *g, const char *name,
				      const struct build_id *id, symbol_pretty_fn *pretty);

/*
 * Gives the images of @s these names. Takes over @g. If the symbolizer has names already they are
 * the same, of the same recording. Call before the first image is looked up.
 */
void symbolizer_take_names(struct symbolizer *s, struct given_names *g);
