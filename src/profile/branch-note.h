/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The data about the branches that a place in stacks stands for: --branch-history.
 *
 * In such stacks a branch is two places: its target and its source. A note sums up the branches of
 * one place, and notes sum up to those of a node of a call tree. Notes are plain values.
 */
#include <stddef.h>
#include <stdint.h>

struct branch;

/* The ways in which branches went: bits of branch_note.ways. */
enum {
	WENT_FORWARD = 1 << 0, /* by a conditional branch */
	WENT_BACKWARD = 1 << 1,
	CROSSED_4K = 1 << 2,
	CROSSED_2M = 1 << 3,
};

struct branch_note {
	uint32_t kinds; /* bits by enum branch_kind, of branches with this target */
	uint32_t ways;
	uint32_t to;                 /* number of branches with this target */
	uint32_t predicted, aborted; /* of these branches, the predicted and the aborted */
	uint32_t from;               /* number of branches from this place */
	uint32_t loops, iterations;  /* loops that began with one of these, and their iterations */
	uint32_t callers;            /* number of frames of ordinary stacks */
	uint64_t cycles;             /* the cycles of the branches from this place */
	uint64_t loop_cycles;        /* the cycles of all loop iterations */
};

/* Adds a branch whose target is the place of @n. */
void branch_note_arrival(struct branch_note *n, const struct branch *b);
void branch_note_merge(struct branch_note *n, const struct branch_note *from);

/* Notes by number, those of the nodes of a trie. `struct branch_notes n = { 0 };` is empty. */
struct branch_notes {
	struct branch_note *items;
	size_t n, room;
};

void branch_notes_done(struct branch_notes *n);

/* Returns the note of @number, which is made if there is none. */
struct branch_note *branch_notes_at(struct branch_notes *n, size_t number);
