/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The only interface for taking samples and records out of a session.
 *
 * A consumer states what it wants and in which order. session_feed() reads the recording and hands
 * it over: a file in order of time or in any order on several threads, or a stream; session/live.h
 * does the same with the contents of ring buffers. The consumer cannot tell which of these it is.
 * Everything that is handed over lives until the callback returns.
 *
 * Callbacks return 0 to go on, > 0 to stop, < 0 to stop with that error.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/session.h"

struct sample_filter;

/*
 * A decoded sample. A sample with the counts of its group (`{a,b}:S`) comes once for each event
 * that has counted something since the sample before.
 */
struct session_sample {
	const struct delivered *record;
	const struct session_event *event; /* the one that counted */
	const struct sample *sample;       /* as decoded by session_decode_sample() */
	uint64_t time;                     /* 0: none */
	uint64_t period;                   /* the count of the event */
	uint64_t samples; /* the samples it stands for: 1, or more if added up elsewhere */
};

enum consumer_order {
	/*
	 * In any order, by several workers at once. A consumer that takes records gets them in
	 * order.
	 */
	CONSUMER_ANY_ORDER,
	/*
	 * In order of time, cut into slices that several workers take at once. slice_end() is
	 * called for the slices in order.
	 */
	CONSUMER_SLICES,
	/* In order of time, one after the other, by worker 0. */
	CONSUMER_IN_ORDER,
};

/* The number of slices that are processed at once; slices are numbered from 0. */
#define CONSUMER_SLICES_MAX 16

struct sample_batch {
	const struct session_sample *items;
	size_t n;
	unsigned worker; /* below workers_count() of session_feed()'s workers */
	unsigned slice;  /* with CONSUMER_SLICES; otherwise 0 */
};

struct record_batch {
	const struct delivered *items;
	size_t n;
	unsigned worker, slice;
};

#define RECORD_TYPE_BIT(type) (UINT64_C(1) << (type))
#define RECORD_TYPES_ALL      UINT64_MAX

struct consumer {
	struct session *session; /* the session that feeds it: set when begin() is called */
	enum consumer_order order;
	/*
	 * Samples that have the counts of their group are not split: each comes once, as a sample
	 * of the leader.
	 */
	bool undivided;
	/*
	 * A sample may take long, because debug information is read for it, so it is worth waking
	 * other threads for a few of them.
	 */
	bool is_costly;
	/*
	 * Callbacks are called on the thread that called session_feed(), never on one that takes a
	 * batch while the next is read.
	 */
	bool on_this_thread;
	const struct sample_filter
		*filter; /* samples at other times or CPUs are left out; or NULL */
	uint64_t types;  /* RECORD_TYPE_BIT() of the kernel's records for records() */
	/*
	 * True if samples of @e are wanted; others are counted and skipped. Called once for each
	 * event, after begin(). NULL: all are wanted.
	 */
	bool (*wants)(void *arg, const struct session_event *e);

	/*
	 * Called once, when events and features are known: for a file immediately, for a stream
	 * before the first batch or, if there is none, at the end. @c is a copy of this consumer,
	 * which the function may still change. NULL: nothing to do.
	 */
	int (*begin)(void *arg, struct consumer *c);

	/*
	 * Takes decoded samples of known events; malformed ones are left out. NULL: none is
	 * decoded.
	 */
	int (*samples)(void *arg, const struct sample_batch *b);

	/*
	 * Takes records of @types, in order among the samples. If PERF_RECORD_SAMPLE is one of
	 * them, the record comes before its decoded sample.
	 */
	int (*records)(void *arg, const struct record_batch *b);

	/*
	 * Called when all of slice @slice was taken. The calls are in order of time, for one slice
	 * at a time, on any thread; also with CONSUMER_IN_ORDER. NULL: nothing to do.
	 */
	int (*slice_end)(void *arg, unsigned slice);

	/* Takes perf's own record (type >= 64), as it is read; or NULL. */
	int (*user)(void *arg, const struct delivered *d);

	void *arg;
};

/*
 * Reads the whole recording, or the rest of a stream, and feeds @consumer. @w share the work; NULL:
 * only the caller works. The order is stricter than requested if samples can only be understood in
 * order, such as those that have the counts of their group. Errors: that of a callback, or of a
 * broken stream, with @diag. Returns 0 if a callback stopped it.
 */
int session_feed(struct session *s, struct workers *w, const struct consumer *consumer,
		 struct diag *diag);
