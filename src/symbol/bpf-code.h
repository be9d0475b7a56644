/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of BPF programs as a recording has it: the code that the kernel's compiler made of a
 * function, and the lines of source from which it was made, with their text. No file has either.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"
#include "symbol/source.h"

struct arch;
struct image;
struct symbolizer;

/*
 * A function at @addr, the address at run time. Rows are sorted by address, in the same address
 * space.
 */
struct bpf_code {
	const char *name; /* the name of its image */
	uint64_t addr;
	const uint8_t *bytes;
	size_t n;
	const struct arch *arch; /* NULL: unknown */
	const struct line_row *rows;
	size_t n_rows;
};

/* Keeps a copy of @c. Call before the code of images is looked up. */
void symbolizer_add_bpf_code(struct symbolizer *s, const struct bpf_code *c);

/*
 * Returns the code of @im, an IMAGE_BPF; NULL: the recording does not have it. It belongs to the
 * symbolizer.
 */
const struct bpf_code *image_bpf_code(const struct image *im);

/* The code that was added, for symbol/symbolizer.c, which owns one of these. */
struct bpf_codes {
	struct u64_map by_key; /* by a hash of address and name */
	struct arena arena;
};

void bpf_codes_add(struct bpf_codes *l, const struct bpf_code *c);
const struct bpf_code *bpf_codes_find(const struct bpf_codes *l, uint64_t addr, const char *name);
void bpf_codes_done(struct bpf_codes *l);
