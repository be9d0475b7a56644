/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is known of the branches that a place in stacks stands for: --branch-history.
 *
 * In such stacks a branch is two places, where it went to and where it came from. A note sums up
 * those of one place, and notes sum up to those of a node of a call tree. Plain values.
 */
#include <stddef.h>
#include <stdint.h>

struct branch;

/* How branches went: bits of branch_note.ways. */
enum {
	WENT_FORWARD = 1 << 0, /* on a condition */
	WENT_BACKWARD = 1 << 1,
	CROSSED_4K = 1 << 2,
	CROSSED_2M = 1 << 3,
};

struct branch_note {
	uint32_t kinds; /* bits by enum branch_kind, of branches that went there */
	uint32_t ways;
	uint32_t to;                 /* how many branches that are */
	uint32_t predicted, aborted; /* of those */
	uint32_t from;               /* branches that came from there */
	uint32_t loops, iterations;  /* that began with one of these, and how often they ran */
	uint32_t callers;            /* frames of ordinary stacks */
	uint64_t cycles;             /* that the branches which came from there took */
	uint64_t loop_cycles;        /* in all iterations */
};

/* Adds a branch that went there. */
void branch_note_arrival(struct branch_note *n, const struct branch *b);
void branch_note_merge(struct branch_note *n, const struct branch_note *from);

/* Notes by number, those of the nodes of a trie. `struct branch_notes n = { 0 };` are none. */
struct branch_notes {
	struct branch_note *items;
	size_t n, room;
};

void branch_notes_done(struct branch_notes *n);

/* The note of @number; made if there is none. */
struct branch_note *branch_notes_at(struct branch_notes *n, size_t number);
