/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of a jit-PID.dump over time: the function at an address at each time.
 *
 * A JIT compiler reuses memory, so an address may have several functions, one after the other. The
 * functions are divided among images (IMAGE_JITDUMP) so that they do not overlap within an image:
 * an image and an address always stand for the same function. Nearly always there is one image.
 *
 * The symbolizer owns it; it does not change once it is made.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;
struct jit_code;
struct symbolizer;

/* A function that was loaded at [start, end). */
struct jit_load {
	uint64_t start, end; /* runtime addresses */
	uint64_t since;      /* in the recording's clock; 0: from the beginning */
	uint32_t number;     /* in the dump: the highest wins among those of the same time */
	struct image *image;
	const uint8_t *unwind; /* see struct jit_unwind */
	size_t unwind_size;    /* 0: there is no unwind table */
};

struct jit_request {
	const char *path;    /* as in the MMAP record */
	int32_t pid;         /* the process that has mapped it */
	bool is_other_clock; /* the recording's clock is not CLOCK_MONOTONIC */
};

/* True if @path, of an MMAP record, is the name of a jitdump. */
bool jit_code_is_dump(const char *path);

/* Returns the code of the dump; NULL if it cannot be read. Reads the dump at the first call. */
const struct jit_code *symbolizer_jit_code(struct symbolizer *s, const struct jit_request *r);

/* Returns all loads, in no particular order. */
const struct jit_load *jit_code_loads(const struct jit_code *c, size_t *ret_n);

/*
 * Returns the function that was at @addr at @time, or NULL. *@from is raised and *@until lowered to
 * the times for which that is valid. O(log n), multiplied by how often memory was reused.
 */
const struct jit_load *jit_code_find(const struct jit_code *c, uint64_t addr, uint64_t time,
				     uint64_t *from, uint64_t *until);

/*
 * The .eh_frame that a JIT compiler wrote for a function. Its relative addresses are right if it
 * follows the code, at the next multiple of eight.
 */
struct jit_unwind {
	uint64_t start, end; /* the function's range */
	const uint8_t *bytes;
	size_t size;
	bool swapped; /* it is in the other byte order */
};

/*
 * Finds the .eh_frame of the function at @addr of @im, an IMAGE_JITDUMP. It lives as long as the
 * symbolizer. Returns false if there is none.
 */
bool image_jit_unwind(const struct image *im, uint64_t addr, struct jit_unwind *ret);
