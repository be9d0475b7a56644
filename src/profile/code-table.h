/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code that stacks refer to, as the numbered lists that most formats have: images, functions,
 * and locations. A location is an address with the functions that are inlined there.
 *
 * The lists are filled from the frames of a profile that goes by address
 * (profile_request.by_address), when the frames are first requested. Images, symbols and names are
 * borrowed from the session.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/contexts.h"
#include "profile/stacks.h"

struct frame;
struct frames;
struct image;
struct location;
struct symbol;

#define CODE_NONE UINT32_MAX

/* An image: a file, the kernel, a module or JIT code, and where one process had it mapped. */
struct code_image {
	const struct image *image;
	uint64_t start, end, offset; /* its first map that was found */
	bool has_functions, has_lines, has_inlines;
};

struct code_function {
	const char *name;
	const struct symbol *sym;
	const char *file; /* the file of its first line that was found; NULL: unknown */
	uint32_t image;
	bool is_inlined;
	bool is_of_kernel;
};

/* A function at a location. */
struct located_function {
	uint32_t function; /* CODE_NONE: there is no name */
	uint32_t line;     /* 0: unknown */
};

struct code_location {
	uint32_t image;               /* CODE_NONE: no image is known there */
	uint64_t addr;                /* the run-time address in the image's first map */
	uint32_t first_line, n_lines; /* in code_table.lines: innermost first; none: no name */
	bool is_of_kernel;
};

struct code_table {
	const struct frames *frames;
	bool with_lines; /* source lines are wanted */
	struct {
		struct code_image *items;
		size_t n, room;
	} images;
	struct {
		struct code_function *items;
		size_t n, room;
	} functions;
	struct {
		struct code_location *items;
		size_t n, room;
	} locations;
	struct {
		struct located_function *items;
		size_t n, room;
	} lines;
	/* private: */
	struct contexts image_keys, function_keys, location_keys; /* these make equal entries one */
	uint32_t *of_frame;                                       /* by frame: its location + 1 */
	size_t n_frames;
};

void code_table_init(struct code_table *t, const struct frames *frames, bool with_lines);
void code_table_done(struct code_table *t);

/*
 * Returns the location whose innermost function is node @node of @s; *@ret_caller: the node of the
 * caller, or STACK_NONE. @node is no root.
 */
uint32_t code_table_location(struct code_table *t, const struct stacks *s, uint32_t node,
			     uint32_t *ret_caller);

/* Returns the image and the function at @loc, which is no frame; CODE_NONE: there is none. */
void code_table_place(struct code_table *t, const struct location *loc, uint32_t *ret_image,
		      uint32_t *ret_function);

/* Returns the path or name of an image. */
const char *code_image_name(const struct code_image *im);

/*
 * Returns the node of the function to which the weight of @node belongs. The weight of a sampled
 * function that is not part of the recorded stack belongs to the stack, if there is one.
 * STACK_NONE: it is a root.
 */
uint32_t code_sampled_node(const struct stacks *s, uint32_t node);
