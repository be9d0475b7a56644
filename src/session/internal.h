/* SPDX-License-Identifier: MIT */
#pragma once
/* The contents of a session; private to session/. */
#include <stdatomic.h>

#include "session/chain-depths.h"
#include "session/events.h"
#include "session/order.h"
#include "session/pieces.h"
#include "session/sample-walk.h"
#include "session/session.h"
#include "session/sideband.h"
#include "session/stack-unwind.h"

/*
 * A batch is large enough to be shared among threads, and small enough to stay in the cache, both
 * in records and in the bytes of the file that it keeps.
 */
#define BATCH_MAX       16384
#define BATCH_BYTES_MAX (4 << 20)

/*
 * A file of at most this size stays mapped from one pass to the next, because mapping its pages
 * again costs more.
 */
#define SMALL_MAX (2 << 20)

/* The counts of session_unwind_counts(), while threads add to them. */
struct unwind_tally {
	atomic_uint_fast64_t stacks, ended[UNWIND_ENDS];
};

struct traces;

struct session {
	struct datafile *file;           /* NULL: the session is live, */
	const struct features *features; /* with these features, or NULL */
	bool swap;
	bool is_summed; /* samples stand for several, added up by other profilers */
	bool in_file_order;
	bool guest_code;
	bool keeps_cookies; /* see session_options */
	bool forgets;       /* see session_options */
	bool notes_exits;   /* ended tasks will be forgotten */
	bool with_symbols;  /* the symbolizer came from outside */
	bool applied;       /* the side-band of the whole file is applied */
	bool scanned;       /* the pieces of the whole file are found */
	bool counted;       /* and its samples are in the counts */
	struct progress *progress;
	const atomic_bool *stop; /* see session_options; or NULL */
	struct events events;
	struct machine machine;
	struct order order;
	struct image_rules *image_rules;
	struct traces *traces; /* hardware traces are decoded; or NULL */
	struct unwind_tally unwound;
	struct unwind_counts unwound_before; /* counts from the recording, as stored in the file */
	struct chain_depths *chain_depths;   /* those of the last pass; NULL: no pass yet */
	atomic_bool takes_chains;            /* a consumer uses call chains of any depth */
	struct session_counts counts;
	struct sample_counts sample_counts; /* samples that are not in the counts yet */
	struct pieces pieces;

	struct delivered *batch; /* BATCH_MAX of them */
	size_t n_batch;
	size_t batch_bytes;
	bool batch_has_samples;
	uint64_t position;   /* position of the record that is being read */
	uint64_t round_at;   /* the position at which the last round ended, */
	uint64_t waits_from; /* and the one before which nothing waits any more */
	uint64_t last_time;  /* the time of the last record handed out in order */

	/* For a live session (session/live.h): */
	uint64_t newest[2]; /* latest times at the end of the last pass but one, and of the last */
	uint64_t settled;   /* later lookups are not for times before this */
	bool has_lost;      /* records were lost since the past was forgotten */
	bool keeps_all;     /* see session_live_options */
	bool (*is_gone)(uint32_t pid);
};

/*
 * Does the same as session_scan(), but with @count false it may leave the samples uncounted, for
 * callers that read them anyway. Nearly the whole cost of pass 1 is then reading one line of memory
 * for each record.
 */
int session_scan_for(struct session *s, bool count, struct diag *diag);

/* Applies the side-band record @d to the machine. */
void session_apply(struct session *s, const struct delivered *d);

/* Applies perf's own record @raw, if it has any effect. */
void session_apply_user(struct session *s, const struct raw_record *raw);

/* True if the result of reading is no longer wanted. */
static inline bool session_is_stopped(const struct session *s)
{
	return s->stop && atomic_load_explicit(s->stop, memory_order_relaxed);
}

/* Reports how much of the file has been read. The size of a stream is not known. */
void session_tell_progress(const struct session *s, const char *title);

bool session_file_is_small(const struct session *s);
