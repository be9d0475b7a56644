/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names and lines of interpreted functions while they are recorded. Their image is no file yet, and
 * grows: each address is looked up in the recorder's table (runtime/functions.h) when it is first
 * asked for.
 *
 * Names that were found live as long as the image. Any thread may look up; a repeated lookup
 * takes no lock.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/source.h"

struct build_id;
struct elf_file;
struct image;
struct runtime_found;
struct runtime_functions;
struct runtime_names;
struct symbolizer;

/*
 * Gives the images of the languages of @f its functions; @f is borrowed until the next call with
 * NULL, after which only what was found before is known. Call before such an image is looked up.
 */
void symbolizer_take_functions(struct symbolizer *s, struct runtime_functions *f);

/*
 * Finds the function at @addr, where its language's image is mapped in every process, whether a
 * record says that or not. *@ret_image is the path of the image. False: there is none.
 */
bool symbolizer_find_interpreted(const struct symbolizer *s, uint64_t addr,
				 struct runtime_found *ret, const char **ret_image);

/* Returns the functions of the image @name with build-id @id; NULL: it is not one of @f. */
struct runtime_names *runtime_names_new(const struct runtime_functions *f, const char *name,
					const struct build_id *id);
void runtime_names_free(struct runtime_names *n);

/* Returns the function at @addr of @im, which has such names, and its line; empty: there is none.
 */
struct source_frames runtime_names_frames(struct image *im, uint64_t addr);

/* Does what image_line_rows() does. */
size_t runtime_names_rows(struct image *im, uint64_t start, uint64_t end,
			  const struct line_row **ret);

/* Opens the image as it is now. -ENODATA: it is known no more. */
int runtime_names_open(const struct image *im, struct elf_file **ret);
