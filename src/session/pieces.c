/* SPDX-License-Identifier: MIT */
#include "session/pieces.h"

#include <stdlib.h>

#include "base/memory.h"
#include "datafile/reader.h"

/*
 * The size of a piece. It is small enough that threads finish at about the same time, even for a
 * file of a few MB.
 */
#define PIECE_SIZE (128u << 10)

void pieces_done(struct pieces *p)
{
	free(p->items);
	*p = (struct pieces){ 0 };
}

/*
 * Returns the piece to which the bytes at @offset belong: the last one, if they follow it and it is
 * not full.
 */
static struct piece *piece_for(struct pieces *p, unsigned part, uint64_t offset, uint64_t position)
{
	struct piece *last = p->n ? &p->items[p->n - 1] : NULL;

	if (last && last->part == part && last->offset + last->size == offset &&
	    last->size < PIECE_SIZE)
		return last;
	last = ARRAY_ADD(p);
	*last = (struct piece){ .offset = offset, .position = position, .part = part };
	return last;
}

void pieces_add_samples(struct pieces *p, const struct sample_run *run)
{
	struct piece *piece = piece_for(p, run->part, run->offset, run->position);

	piece->size += run->size;
	piece->n_samples += run->n;
	p->sample_bytes += run->size;
}

void pieces_add_record(struct pieces *p, const struct raw_record *raw, bool stays)
{
	bool sample = raw->header.type == PERF_RECORD_SAMPLE;
	struct piece *piece;

	if (!stays) {
		p->elsewhere |= sample;
		return;
	}
	piece = piece_for(p, raw->part, raw->offset, raw->position);
	piece->size += raw->header.size;
	piece->n_samples += sample;
	p->sample_bytes += sample ? raw->header.size : 0;
}
