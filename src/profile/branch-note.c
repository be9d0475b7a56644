/* SPDX-License-Identifier: MIT */
#include "profile/branch-note.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/branch-stats.h"
#include "wire/sample.h"

void branch_note_arrival(struct branch_note *n, const struct branch *b)
{
	struct branch_stats one = { 0 };

	branch_stats_add(&one, b);
	n->to++;
	n->predicted += !!(b->flags & BRANCH_PREDICTED);
	n->aborted += !!(b->flags & BRANCH_ABORT);
	if (one.kinds[branch_kind(b->flags)])
		n->kinds |= 1u << branch_kind(b->flags);
	n->ways |= (one.forward ? WENT_FORWARD : 0) | (one.backward ? WENT_BACKWARD : 0) |
		   (one.cross_4k ? CROSSED_4K : 0) | (one.cross_2m ? CROSSED_2M : 0);
}

void branch_note_merge(struct branch_note *n, const struct branch_note *from)
{
	n->kinds |= from->kinds;
	n->ways |= from->ways;
	n->to += from->to;
	n->predicted += from->predicted;
	n->aborted += from->aborted;
	n->from += from->from;
	n->cycles += from->cycles;
	n->loops += from->loops;
	n->iterations += from->iterations;
	n->loop_cycles += from->loop_cycles;
	n->callers += from->callers;
}

void branch_notes_done(struct branch_notes *n)
{
	free(n->items);
	*n = (struct branch_notes){ 0 };
}

struct branch_note *branch_notes_at(struct branch_notes *n, size_t number)
{
	while (n->n <= number)
		ARRAY_ADD(n);
	return &n->items[number];
}
