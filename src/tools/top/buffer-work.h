/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The latest raw records of a live profile, to be saved to a file.
 *
 * There are two halves, which are filled in turn. Each begins with the state of the system at that
 * time, from /proc, so that the older one can be dropped completely: the rest can be read without
 * it. Memory is bounded by the sizes of the halves and of that state.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/bytes.h"

struct synth_plan;

struct top_half {
	struct bytes state;   /* the state of the system when the half began */
	struct bytes records; /* the records since then */
};

struct top_buffer {
	size_t half_bytes; /* 0: no records are kept */
	struct top_half old, now;
};

void top_buffer_done(struct top_buffer *b);

/* Begins, with the state of the system that exists already. */
void top_buffer_begin(struct top_buffer *b, const struct synth_plan *synth);

/* Adds data from a ring: whole records in two pieces. */
void top_buffer_add(struct top_buffer *b, const struct iovec pieces[2]);

/*
 * Ends a pass over all rings. A half that is full becomes the old one. True: another half has
 * begun.
 */
bool top_buffer_end_pass(struct top_buffer *b, const struct synth_plan *synth);

/* Returns the parts of a file, in their order. */
void top_buffer_pieces(const struct top_buffer *b, struct iovec ret[3]);
