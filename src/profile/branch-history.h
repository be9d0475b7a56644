/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks that tell how the program came to where it was sampled: its last branches, and then the
 * callers of where they begin.
 *
 * From the newest to the oldest, each branch is two entries: where it went to and where it came
 * from. The same branches run through several times in succession are there once. Callers whose
 * calls are among the branches are not repeated.
 */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/sample.h"

struct branch_note;
struct call_chain;

enum history_part {
	HISTORY_CALLER, /* a frame of the stack */
	HISTORY_TO,
	HISTORY_FROM,
};

struct history_entry {
	enum history_part part;
	struct branch branch;
	/* The newest of the branches that a loop consists of, in its HISTORY_FROM: */
	uint32_t iterations; /* 0: no loop */
	uint64_t loop_cycles;
};

/* `struct branch_history h = { 0 };` is empty; one is used for many samples. */
struct branch_history {
	struct history_entry *items; /* those of the chain, in its order */
	size_t n, room;
};

void branch_history_done(struct branch_history *h);

/* Puts the branches of @s into @c, which is its stack, and tells in @h what each entry is. */
void branch_history_take(struct branch_history *h, struct call_chain *c, const struct sample *s);

/* Adds what @e tells to @n. */
void history_entry_note(const struct history_entry *e, struct branch_note *n);

/*
 * Which frames are functions whose name matches a regular expression: asked once for each frame.
 */

struct frames;

struct frame_marks {
	const regex_t *regex; /* NULL: none matches */
	uint8_t *known;       /* by frame: 0 not asked yet, 1 no, 2 yes */
	size_t room;
};

void frame_marks_done(struct frame_marks *m);

/* Whether @frame has a name that matches. */
bool frame_marks_has(struct frame_marks *m, const struct frames *frames, uint32_t frame);
