/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The one way to take samples and records out of a session.
 *
 * A consumer says what it wants and in which order. session_feed() reads the recording and hands it
 * over: a file in order of time or in any order on several threads, or a stream; session/live.h
 * does the same with what ring buffers give. The consumer cannot tell which. Whatever is handed
 * over lives until the callback returns.
 *
 * Callbacks return 0 to go on, > 0 to stop, < 0 to stop with that error.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/session.h"

struct sample_filter;

/*
 * A decoded sample. One that carries the counts of its group (`{a,b}:S`) comes once for each event
 * that has counted something since the sample before.
 */
struct session_sample {
	const struct delivered *record;
	const struct session_event *event; /* the one that counted */
	const struct sample *sample;       /* as of session_decode_sample() */
	uint64_t time;                     /* 0: none */
	uint64_t period;                   /* what the event has counted */
	uint64_t samples; /* that it stands for: 1, or more if they were added up elsewhere */
};

enum consumer_order {
	/*
	 * In any order, by several workers at once. A consumer that takes records gets them in
	 * order.
	 */
	CONSUMER_ANY_ORDER,
	/*
	 * In order of time, cut into slices that several workers take at once. slice_end() is
	 * called for one slice after the other.
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
	unsigned worker; /* below workers_count() of what session_feed() was given */
	unsigned slice;  /* with CONSUMER_SLICES; else 0 */
};

struct record_batch {
	const struct delivered *items;
	size_t n;
	unsigned worker, slice;
};

#define RECORD_TYPE_BIT(type) (UINT64_C(1) << (type))
#define RECORD_TYPES_ALL      UINT64_MAX

struct consumer {
	struct session *session; /* that it is fed by: set when begin() is called */
	enum consumer_order order;
	/*
	 * Samples that carry the counts of their group are not split: each comes once, as a sample
	 * of the leader.
	 */
	bool undivided;
	/*
	 * A sample may take long, as debug information is read for it: it is worth waking other
	 * threads for a few of them.
	 */
	bool is_costly;
	/*
	 * Callbacks come on the thread that called session_feed(), never on one that takes a batch
	 * while the next is read.
	 */
	bool on_this_thread;
	const struct sample_filter
		*filter; /* samples at other times or CPUs are left out; or NULL */
	uint64_t types;  /* RECORD_TYPE_BIT() of the kernel's records for records() */
	/*
	 * Whether samples of @e are wanted; others are counted and passed over. Asked once for each
	 * event, after begin(). NULL: all are wanted.
	 */
	bool (*wants)(void *arg, const struct session_event *e);

	/*
	 * Called once, when events and features are known: for a file at once, for a stream before
	 * the first batch or, if there is none, at the end. @c is a copy of this consumer that it
	 * may still change. NULL: nothing to do.
	 */
	int (*begin)(void *arg, struct consumer *c);

	/* Decoded samples of known events; malformed ones are left out. NULL: none is decoded. */
	int (*samples)(void *arg, const struct sample_batch *b);

	/*
	 * Records of @types, in order among the samples. If PERF_RECORD_SAMPLE is one of them, the
	 * record comes before its decoded sample.
	 */
	int (*records)(void *arg, const struct record_batch *b);

	/*
	 * All of slice @slice was taken. Called in order of time, for one slice at a time, on any
	 * thread; also with CONSUMER_IN_ORDER. NULL: nothing to do.
	 */
	int (*slice_end)(void *arg, unsigned slice);

	/* perf's own record (type >= 64), as it is read; or NULL. */
	int (*user)(void *arg, const struct delivered *d);

	void *arg;
};

/*
 * Reads the whole recording, or the rest of a stream, and feeds @consumer. @w share the work;
 * NULL: the caller alone. The order is stricter than asked for where samples can only be
 * understood in order, as those that carry the counts of their group. Errors: that of a callback,
 * or of a broken stream, with @diag. If a callback stopped it, 0.
 */
int session_feed(struct session *s, struct workers *w, const struct consumer *consumer,
		 struct diag *diag);
