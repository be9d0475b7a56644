/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks that show how the program came to the sampled place: its last branches, and then the
 * callers of where the branches begin.
 *
 * From the newest to the oldest, each branch is two entries: its target and its source. Branches
 * that were run through several times in succession are listed once. Callers whose calls are among
 * the branches are not repeated.
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
	/* Set in the HISTORY_FROM of a loop's newest branch: */
	uint32_t iterations; /* 0: no loop */
	uint64_t loop_cycles;
};

/* `struct branch_history h = { 0 };` is empty; one object is used for many samples. */
struct branch_history {
	struct history_entry *items; /* the entries of the chain, in its order */
	size_t n, room;
};

void branch_history_done(struct branch_history *h);

/* Puts the branches of @s into @c, the sample's stack, and sets in @h what each entry is. */
void branch_history_take(struct branch_history *h, struct call_chain *c, const struct sample *s);

/* Adds the data of @e to @n. */
void history_entry_note(const struct history_entry *e, struct branch_note *n);

/* Marks the frames whose function names match a regular expression. Each frame is checked once. */

struct frames;

struct frame_marks {
	const regex_t *regex; /* NULL: none matches */
	uint8_t *known;       /* by frame: 0 not checked yet, 1 no, 2 yes */
	size_t room;
};

void frame_marks_done(struct frame_marks *m);

/* True if @frame has a name that matches. */
bool frame_marks_has(struct frame_marks *m, const struct frames *frames, uint32_t frame);
