/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The last raw records of a live profile, for a file.
 *
 * Two halves follow each other. Each begins with the state of the system as it is then, from /proc,
 * so that the older one can be dropped with everything in it: what is left explains itself. Memory
 * is bounded by the sizes of the halves and of that state.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/bytes.h"

struct synth_plan;

struct top_half {
	struct bytes state;   /* when it began */
	struct bytes records; /* since then */
};

struct top_buffer {
	size_t half_bytes; /* 0: nothing is kept */
	struct top_half old, now;
};

void top_buffer_done(struct top_buffer *b);

/* Begins, with the state that was there before. */
void top_buffer_begin(struct top_buffer *b, const struct synth_plan *synth);

/* Adds what a ring gave: whole records in two pieces. */
void top_buffer_add(struct top_buffer *b, const struct iovec pieces[2]);

/* All rings were looked at. A half that is full becomes the old one. */
void top_buffer_end_pass(struct top_buffer *b, const struct synth_plan *synth);

/* What makes up a file, in its order. */
void top_buffer_pieces(const struct top_buffer *b, struct iovec ret[3]);
