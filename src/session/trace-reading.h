/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples that are decoded from hardware traces, as records in their turn. Private to session/.
 *
 * A reading goes once over all queues, in order of time; or over one of them, while other threads
 * read the others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "hwtrace/decoder.h"
#include "session/session.h"

struct traces;

struct trace_turn {
	uint64_t time;
	size_t queue;
};

struct trace_reading {
	struct traces *traces;
	bool one; /* reads a single queue */
	struct {
		struct aux_stream **items; /* indexed by queue */
		size_t n, room;
	} streams;
	struct {
		struct trace_turn *items; /* a heap: the earliest on top */
		size_t n, room;
	} turns;
	struct {
		size_t *items; /* queues without further data; they may have got new pieces */
		size_t n, room;
	} dry;
	struct bytes scratch;
	struct arena arena; /* holds the records that were handed out */
};

/* Initialises a reading of all queues. */
void trace_reading_init(struct trace_reading *r, struct traces *t);

/* Initialises a reading of queue number @queue only. */
void trace_reading_init_one(struct trace_reading *r, struct traces *t, size_t queue);
void trace_reading_done(struct trace_reading *r);

/*
 * Gets the next record that is not later than @time: a sample, or an AUXTRACE_ERROR, which has no
 * event. It stays valid until trace_reading_forget(). false: none is due. Items without a time are
 * due at UINT64_MAX only.
 */
bool trace_reading_next(struct trace_reading *r, uint64_t time, struct delivered *ret);

/* Looks for new queues, and for new pieces of those that were at their end. */
void trace_reading_refill(struct trace_reading *r);

/* Releases the records that were handed out. */
void trace_reading_forget(struct trace_reading *r);
