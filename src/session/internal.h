/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a session is made of; private to session/.
 */
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
 * A batch is large enough to be shared out among threads, and small enough, in records and in the
 * bytes of the file that it keeps, to stay in the cache.
 */
#define BATCH_MAX       16384
#define BATCH_BYTES_MAX (4 << 20)

/* What is no larger is kept mapped from one pass to the next: finding its pages anew costs more. */
#define SMALL_MAX (32 << 20)

/* session_unwind_counts(), while threads add to them. */
struct unwind_tally {
	atomic_uint_fast64_t stacks, ended[UNWIND_ENDS];
};

struct traces;

struct session {
	struct datafile *file;           /* NULL: it is live, */
	const struct features *features; /* with these, or NULL */
	bool swap;
	bool is_summed; /* samples stand for several: what other profilers added up */
	bool in_file_order;
	bool guest_code;
	bool keeps_cookies; /* see session_options */
	bool forgets;       /* see session_options */
	bool notes_exits;   /* tasks that have ended will be forgotten */
	bool with_symbols;  /* the symbolizer came from outside */
	bool applied;       /* the side-band of the whole file is in */
	bool scanned;       /* so are the pieces of the file */
	bool counted;       /* so are its samples, in the counts */
	struct progress *progress;
	const atomic_bool *stop; /* see session_options; or NULL */
	struct events events;
	struct machine machine;
	struct order order;
	struct image_rules *image_rules;
	struct traces *traces; /* hardware traces are decoded; or NULL */
	struct unwind_tally unwound;
	struct unwind_counts unwound_before; /* while it was recorded, as the file says */
	struct chain_depths *chain_depths; /* of the last pass over samples; NULL: there was none */
	atomic_bool takes_chains;          /* somebody looks at call chains of any depth */
	struct session_counts counts;
	struct sample_counts sample_counts; /* what is not in the counts yet */
	struct pieces pieces;

	struct delivered *batch; /* BATCH_MAX of them */
	size_t n_batch;
	size_t batch_bytes;
	bool batch_has_samples;
	uint64_t position;   /* of the record being read */
	uint64_t round_at;   /* the position where the last round ended, */
	uint64_t waits_from; /* and the one before which nothing waits any more */
	uint64_t last_time;  /* of what was handed out in order */

	/* Of a live session (session/live.h): */
	uint64_t newest[2]; /* times seen by the end of the pass before the last, and of the last */
	uint64_t settled;   /* what is still to be asked about is not older */
	bool has_lost;      /* records, since the past was forgotten */
	bool keeps_all;     /* see session_live_options */
	bool (*is_gone)(uint32_t pid);
};

/*
 * session_scan(), which may leave the samples uncounted (!@count) for who looks at them anyway: as
 * good as all of pass 1 is reading one line of memory for each record then.
 */
int session_scan_for(struct session *s, bool count, struct diag *diag);

/* Tells the machine what the side-band record @d says. */
void session_apply(struct session *s, const struct delivered *d);

/* Applies perf's own record @raw, if it tells anything. */
void session_apply_user(struct session *s, const struct raw_record *raw);

/* Whether nobody waits for what is being read any more. */
static inline bool session_is_stopped(const struct session *s)
{
	return s->stop && atomic_load_explicit(s->stop, memory_order_relaxed);
}

/* Tells how much of the file has been read. Of a stream nobody knows how much there is. */
void session_tell_progress(const struct session *s, const char *title);

bool session_file_is_small(const struct session *s);
