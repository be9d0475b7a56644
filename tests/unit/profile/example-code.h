/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Code for tests: a program that two processes have mapped at different addresses, a library, a
 * module, and stacks over them.
 */
#include <stdint.h>

#include "profile/frames.h"
#include "profile/stacks.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

enum {
	PROGRAM,
	PROGRAM_ELSEWHERE,
	LIBRARY,
	MODULE,
	N_MAPS
};

static struct map maps[N_MAPS] = {
	[PROGRAM] = { .start = 0x10000, .end = 0x20000, .pgoff = 0x1000 },
	[PROGRAM_ELSEWHERE] = { .start = 0x50000, .end = 0x60000, .pgoff = 0x1000 },
	[LIBRARY] = { .start = 0x90000, .end = 0xa0000 },
	[MODULE] = { .start = 0xffff8000, .end = 0xffff9000 },
};

static const struct symbol main_function = { .start = 0x1100, .end = 0x1200, .name = "main" };
static const struct symbol inlined = {
	.start = 0x1100, .end = 0x1200, .name = "quote\"\n\xff", .is_inlined = true
};
static const struct symbol inlined_deeper = {
	.start = 0x1100, .end = 0x1200, .name = "", .is_inlined = true
};
static const struct symbol library_function = { .start = 0x100, .end = 0x200, .name = "f" };

/*
 * Returns the location of an image address in a map. Image addresses of the program are offsets in
 * its file.
 */
static inline struct location code_at(size_t map, uint64_t image_addr, const struct symbol *sym)
{
	return (struct location){
		.addr = maps[map].start + image_addr - maps[map].pgoff,
		.map = &maps[map],
		.image_addr = image_addr,
		.sym = sym,
	};
}

static inline uint32_t add_frame(struct frames *f, size_t map, uint64_t image_addr,
				 const struct symbol *sym)
{
	const struct location loc = code_at(map, image_addr, sym);

	return frames_add(f, &loc, map == MODULE ? ADDRESS_KERNEL : ADDRESS_USER, FRAME_OF_STACK);
}

/* Adds a frame that is inlined at the same place of the function: @depth 0 is the innermost. */
static inline uint32_t add_inlined(struct frames *f, size_t map, uint64_t image_addr,
				   const struct symbol *sym, size_t depth)
{
	const struct location loc = code_at(map, image_addr, sym);

	return frames_add_part(f, &loc, ADDRESS_USER, sym, depth);
}

static int make_code(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });

	maps[PROGRAM].image = maps[PROGRAM_ELSEWHERE].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/a" });
	maps[LIBRARY].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = "/lib/b" });
	maps[MODULE].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_MODULE, .name = "[m]" });
	*state = s;
	return 0;
}

static int release_code(void **state)
{
	symbolizer_free(*state);
	return 0;
}
