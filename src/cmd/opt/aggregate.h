/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Over what counts are summed up: -A and --per-core, --per-socket, ..., for `stat` and `stat
 * report`. The last one given wins.
 */
#include "cli/option.h"

enum aggregate {
	AGGREGATE_UNSAID, /* one sum; with `stat report`, as it was recorded */
	AGGREGATE_ALL,
	AGGREGATE_CPU, /* -A: no sums */
	AGGREGATE_SOCKET,
	AGGREGATE_DIE,
	AGGREGATE_CLUSTER,
	AGGREGATE_CACHE,
	AGGREGATE_CORE,
	AGGREGATE_NODE,
	AGGREGATE_THREAD,
};

struct aggregate_opts {
	enum aggregate over;
	unsigned cache_level; /* of AGGREGATE_CACHE; 0: the last */
};

/* Rows over a struct aggregate_opts, with a heading; --per-thread is a row of `stat` alone. */
extern const struct option aggregate_options[];

/* Setter over a `struct aggregate_opts` for a row without a value, known by its name. */
option_set_fn aggregate_set;
