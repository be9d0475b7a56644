/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A place as text, "            4007c0 main+0x3c (/bin/x)": formatted once for each place of each
 * image, and style. Its source line may follow, "\n main.c:12", and the functions that are inlined
 * there may precede it.
 *
 * Several threads share the texts; a cache is one thread's access to them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct location;

/* The parts that follow the address. */
enum {
	FRAME_SYM = 1 << 0,
	FRAME_SYMOFF = 1 << 1,
	FRAME_DSO = 1 << 2,
	FRAME_LINE = 1 << 3,         /* its source line */
	FRAME_UNKNOWN_LINE = 1 << 4, /* and "??:0" if its file has no line */
	FRAME_INLINES = 1 << 5,      /* only for frame_cache_get() */
	FRAME_CALL = 1 << 6,         /* use function and line of the preceding call */
};

#define FRAME_ADDRESS_WIDTH 16

/*
 * The lines of a place in a stack: a tab, the address in its image in FRAME_ADDRESS_WIDTH columns,
 * the rest, a newline.
 */
struct frame_line {
	const char *chars;
	size_t length;
	const struct frame_tail *tail; /* printed next, before a newline; NULL: nothing */
	bool is_divided;               /* without FRAME_CALL, the function would be another one */
	bool is_kept; /* the characters live as long as the texts; else until the next call */
};

/* " (/bin/x)", which is the same for all places of an image. */
struct frame_tail {
	size_t length;
	char chars[];
};

/* The texts, for any number of caches. */
struct frame_texts;

/* @escape: names are escaped for a terminal. @full_paths: for source files. */
struct frame_texts *frame_texts_new(bool escape, bool full_paths);
void frame_texts_free(struct frame_texts *t);

struct frame_cache {
	struct frame_texts *texts;
	struct text scratch;
};

void frame_cache_init(struct frame_cache *c, struct frame_texts *t);
void frame_cache_done(struct frame_cache *c);

/*
 * Returns the line of @loc, which comes from machine_locate() and whose map is not NULL. Its symbol
 * is looked up here if necessary.
 */
struct frame_line frame_cache_get(struct frame_cache *c, unsigned style,
				  const struct location *loc);

/* Returns the text after the address: " main+0x3c (/bin/x)". @loc may have no map. */
struct frame_line frame_cache_rest(struct frame_cache *c, unsigned style,
				   const struct location *loc);
