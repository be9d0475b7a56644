/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a session is made of; private to session/.
 */
#include "session/events.h"
#include "session/order.h"
#include "session/session.h"
#include "session/sideband.h"

/*
 * A batch is large enough to be shared out among threads, and small enough, in records and in the
 * bytes of the file that it keeps, to stay in the cache.
 */
#define BATCH_MAX       16384
#define BATCH_BYTES_MAX (4 << 20)

struct session {
	struct datafile *file;
	bool swap;
	bool in_file_order;
	bool with_symbols; /* the symbolizer came from outside */
	bool applied;      /* the side-band of the whole file is in */
	struct events events;
	struct machine machine;
	struct order order;
	struct leaf_callers *leaf_callers;
	struct session_counts counts;

	struct delivered *batch; /* BATCH_MAX of them */
	size_t n_batch;
	size_t batch_bytes;
	bool batch_has_samples;
	uint64_t position;  /* of the record being read */
	uint64_t last_time; /* of what was handed out in order */
};
