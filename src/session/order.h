/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records that wait for their turn in time.
 *
 * A file is a concatenation of pieces drained from ring buffers, each in order of time. Records
 * that were still unread when pass N over the buffers ended are not older than the newest record
 * seen by the end of pass N-1. So at each FINISHED_ROUND all records are due that are no newer than
 * those the round before had seen. Each ordered piece stays a run. The records of the runs that are
 * due are merged, ties in file order, and handed out as spans of the waiting records themselves.
 * Nothing is allocated per record.
 *
 * This code knows no file and no event: records are pointers with a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAITING_EVENT_NONE 0xffff /* no event, or a number beyond what the field holds */

/*
 * A record's place. It is small, because millions may wait in a file without rounds, and it
 * consists of whole words, because a processor that loads what was just stored in smaller parts has
 * to wait for them.
 */
struct waiting {
	uint64_t time;
	const uint8_t *bytes; /* this and the next two have the fields of struct raw_record */
	uint64_t place;       /* the position; from WAITING_HIGH on, the event's number */
	uint64_t origin;      /* the offset, then the part; the decompressed flag is on top */
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

#define WAITING_DECOMPRESSED 0x8000 /* a flag beside the part's number */

_Static_assert(sizeof(struct waiting) == 32, "four words a record");

struct order_run {
	size_t at, end; /* indexes in items */
};

struct order {
	struct waiting *items;
	size_t n, room;
	struct {
		struct order_run *items;
		size_t n, room;
	} runs; /* in the order of the file */
	struct {
		size_t *items;
		size_t n, room;
	} heap;                         /* runs with due records, the earliest on top */
	uint64_t due;                   /* records no newer than this are due */
	uint64_t newest, newest_before; /* latest time seen; the same when the last round ended */
	bool merging;                   /* the heap is set up */
	/* The time of the last record; UINT64_MAX: the next one does not just follow it. */
	uint64_t last;
};

void order_done(struct order *o);

/* Counts a record that does not wait as seen. */
static inline void order_saw(struct order *o, uint64_t time)
{
	if (time > o->newest)
		o->newest = time;
}

/*
 * Does the same as order_add() for a record that begins a run, or for which the array is too small.
 */
void order_add_first(struct order *o, struct waiting w);

/*
 * Lets @w wait from now on; its time is below UINT64_MAX. Most records follow the one before in
 * time.
 */
static inline void order_add(struct order *o, struct waiting w)
{
	if (w.time < o->last || o->n == o->room) {
		order_add_first(o, w);
		return;
	}
	o->items[o->n++] = w;
	o->last = w.time;
	o->runs.items[o->runs.n - 1].end = o->n;
	order_saw(o, w.time);
}

/* Ends a round: records that are due now may be taken. */
void order_round(struct order *o);

/* Makes all records due, because too many wait, even if older records may follow. */
void order_flush(struct order *o);

/* Makes records due that are no newer than @due. */
void order_until(struct order *o, uint64_t due);

/* Makes all records due, because the stream has ended. */
void order_finish(struct order *o);

/*
 * Returns the next records in order of time, *@ret_n of them, at least one and at most @max; NULL:
 * no more are due. They stay where they are until the next order_add().
 */
const struct waiting *order_next(struct order *o, size_t max, size_t *ret_n);

/*
 * Returns the position of the first record of the file that still waits; @otherwise if none waits.
 */
uint64_t order_first_position(const struct order *o, uint64_t otherwise);
