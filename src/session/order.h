/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records waiting for their turn in time.
 *
 * A file is a concatenation of pieces drained from ring buffers, each in order of time. What was
 * still unread when pass N over the buffers ended is not older than the newest record seen by the
 * end of pass N-1; so at each FINISHED_ROUND all is due that is no newer than what the round before
 * had seen. Each ordered piece stays a run; what is due of the runs is merged, ties in file order,
 * and handed out as spans of the waiting records themselves. Nothing is allocated per record.
 *
 * Knows no file and no event: records are pointers with a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAITING_EVENT_NONE 0xffff /* no event, or one past what the field holds */

/*
 * A record's place, small because millions may wait in a file without rounds, and of whole words:
 * a processor that loads what was just stored in smaller parts has to wait for them.
 */
struct waiting {
	uint64_t time;
	const uint8_t *bytes; /* this and what follows: the fields of struct raw_record */
	uint64_t place;       /* the position, and from WAITING_HIGH on the number of the event */
	uint64_t origin;      /* the offset, and from there on the part; decompressed on top */
};

#define WAITING_HIGH 48

static inline uint64_t waiting_word(uint64_t low, uint64_t high)
{
	return (low & ((UINT64_C(1) << WAITING_HIGH) - 1)) | high << WAITING_HIGH;
}

static inline uint64_t waiting_low(uint64_t word)
{
	return word & ((UINT64_C(1) << WAITING_HIGH) - 1);
}

static inline unsigned waiting_high(uint64_t word)
{
	return (unsigned)(word >> WAITING_HIGH);
}

#define WAITING_DECOMPRESSED 0x8000 /* beside the part */

_Static_assert(sizeof(struct waiting) == 32, "four words a record");

struct order_run {
	size_t at, end; /* in items */
};

struct order {
	struct waiting *items;
	size_t n, room;
	struct {
		struct order_run *items;
		size_t n, room;
	} runs; /* in file order */
	struct {
		size_t *items;
		size_t n, room;
	} heap;                         /* of runs that have something due, the earliest on top */
	uint64_t due;                   /* what is no newer goes out */
	uint64_t newest, newest_before; /* times seen; those when the last round ended */
	bool merging;                   /* the heap is set up */
};

void order_done(struct order *o);

/* Counts a record that does not wait as seen. */
static inline void order_saw(struct order *o, uint64_t time)
{
	if (time > o->newest)
		o->newest = time;
}

/* order_add() of a record that begins a run, or for which there is no room. */
void order_add_first(struct order *o, struct waiting w);

/* @w waits from now on. Most follow the one before in time. */
static inline void order_add(struct order *o, struct waiting w)
{
	if (o->merging || !o->n || o->n == o->room || w.time < o->items[o->n - 1].time) {
		order_add_first(o, w);
		return;
	}
	o->items[o->n++] = w;
	o->runs.items[o->runs.n - 1].end = o->n;
	order_saw(o, w.time);
}

/* A round has ended: what is due now may be taken. */
void order_round(struct order *o);

/* Too much waits: all of it is due, whatever older records may follow. */
void order_flush(struct order *o);

/* What is no newer than @due is due. */
void order_until(struct order *o, uint64_t due);

/* The stream has ended: all is due. */
void order_finish(struct order *o);

/*
 * The next records in order of time, *@ret_n of them, at least one and @max at most; NULL: nothing
 * more is due. They stay where they are until the next order_add().
 */
const struct waiting *order_next(struct order *o, size_t max, size_t *ret_n);

/* The position of the first record of the file that still waits; @otherwise if none does. */
uint64_t order_first_position(const struct order *o, uint64_t otherwise);
