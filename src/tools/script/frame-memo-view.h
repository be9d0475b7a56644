/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The lines of the places that stacks went through last, by runtime address: whoever finds one
 * needs to know neither the map nor the symbol at that address.
 *
 * A small table of one thread, in front of its frame_cache, whose texts it borrows.
 */
#include <stdbool.h>
#include <stdint.h>

#include "session/machine.h"
#include "session/span.h"
#include "tools/script/frame-view.h"

/* What a line depends on, besides the moment. */
struct frame_key {
	uint64_t ip;
	uint32_t pid;
	uint16_t style;      /* FRAME_* */
	uint8_t mode;        /* enum address_mode */
	uint64_t generation; /* of the machine, from before the place was looked up */
};

struct frame_memo_entry;

/* `struct frame_memo m = { 0 };` is empty. */
struct frame_memo {
	struct frame_memo_entry *entries; /* NULL: none yet */
};

void frame_memo_done(struct frame_memo *m);

/* The line of @k at @moment. */
bool frame_memo_find(struct frame_memo *m, const struct frame_key *k, uint64_t moment,
		     struct frame_line *ret);

/* Remembers @line, which is kept and holds for @span, in the place of another one. */
void frame_memo_add(struct frame_memo *m, const struct frame_key *k, const struct span *span,
		    struct frame_line line);
