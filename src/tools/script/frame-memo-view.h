/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Remembers the lines of the places in the latest stacks, by runtime address. A hit needs neither
 * the map nor the symbol at that address.
 *
 * It is a small table for one thread, in front of the thread's frame_cache, whose texts it borrows.
 */
#include <stdbool.h>
#include <stdint.h>

#include "session/machine.h"
#include "session/span.h"
#include "tools/script/frame-view.h"

/* The properties that determine a line, besides the moment. */
struct frame_key {
	uint64_t ip;
	uint32_t pid;
	uint16_t style;      /* FRAME_* flags */
	uint8_t mode;        /* enum address_mode */
	uint64_t generation; /* the machine's generation, read before the place was looked up */
};

struct frame_memo_entry;

/* A table. `struct frame_memo m = { 0 };` is an empty one. */
struct frame_memo {
	struct frame_memo_entry *entries; /* NULL: none yet */
};

void frame_memo_done(struct frame_memo *m);

/* Finds the line of @k at @moment. False: it is not in the table. */
bool frame_memo_find(struct frame_memo *m, const struct frame_key *k, uint64_t moment,
		     struct frame_line *ret);

/* Remembers @line, which is kept and holds for @span. It replaces another line. */
void frame_memo_add(struct frame_memo *m, const struct frame_key *k, const struct span *span,
		    struct frame_line line);
