/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of a jit-PID.dump over time: what lay at an address when.
 *
 * A compiler uses memory again, so an address may be several functions, one after the other. All
 * code is shared out among images (IMAGE_JITDUMP) in none of which two functions overlap: an image
 * and an address are one function for ever. Nearly always there is one image.
 *
 * The symbolizer owns it; it does not change once it is made.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;
struct jit_code;
struct symbolizer;

/* A function that came to lie at [start, end). */
struct jit_load {
	uint64_t start, end; /* runtime addresses */
	uint64_t since;      /* in the clock of the recording; 0: from the beginning */
	uint32_t number;     /* in the dump: later ones cover earlier ones of the same time */
	struct image *image;
	const uint8_t *unwind; /* see struct jit_unwind */
	size_t unwind_size;    /* 0: nothing was said */
};

struct jit_request {
	const char *path;    /* as in the MMAP record */
	int32_t pid;         /* who has mapped it */
	bool is_other_clock; /* the recording has other times than CLOCK_MONOTONIC's */
};

/* Whether the file that a MMAP record is of is called as a dump is. */
bool jit_code_is_dump(const char *path);

/* What the dump says; NULL if it cannot be read. Reads it when it is first asked for. */
const struct jit_code *symbolizer_jit_code(struct symbolizer *s, const struct jit_request *r);

/* All loads, in no order that means anything. */
const struct jit_load *jit_code_loads(const struct jit_code *c, size_t *ret_n);

/*
 * What lay at @addr at @time, or NULL. *@from is raised and *@until lowered to the times for which
 * that answer holds. O(log n), times how often memory was used again.
 */
const struct jit_load *jit_code_find(const struct jit_code *c, uint64_t addr, uint64_t time,
				     uint64_t *from, uint64_t *until);

/*
 * What the compiler said about unwinding a function: the bytes of an .eh_frame, whose addresses are
 * right if it lies behind the code, at the next address that eight divides.
 */
struct jit_unwind {
	uint64_t start, end; /* of the function */
	const uint8_t *bytes;
	size_t size;
	bool swapped; /* in the other byte order */
};

/*
 * That of the function at @addr of @im, an IMAGE_JITDUMP, good as long as the symbolizer. False:
 * nothing was said.
 */
bool image_jit_unwind(const struct image *im, uint64_t addr, struct jit_unwind *ret);
