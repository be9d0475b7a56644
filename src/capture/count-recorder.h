/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts on their way into a perf.data file: what `perf stat record` writes.
 *
 * A file holds who and what was counted, then rounds: the counts of every event at every place
 * since the start, closed by the time at which they were read. `perf stat report` makes the same
 * tables of it again, or others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct count_recorder;
struct opened_event;
struct opened_events;
struct cpu_list;
struct diag;
struct features;
struct task_list;
struct tracefs;

/*
 * STAT_CONFIG's aggr_mode, as 6.1 numbers them; newer versions differ from CORE on. 6.1 cannot show
 * the last two: they are as 6.8 and later number them, and come with the level of a cache.
 */
#define COUNT_AGGREGATION_NEWER 0x100
enum count_aggregation {
	COUNT_AGGREGATION_CPU = 0,
	COUNT_AGGREGATION_GLOBAL = 1,
	COUNT_AGGREGATION_SOCKET = 2,
	COUNT_AGGREGATION_DIE = 3,
	COUNT_AGGREGATION_CORE = 4,
	COUNT_AGGREGATION_THREAD = 5,
	COUNT_AGGREGATION_NODE = 7,
	COUNT_AGGREGATION_CLUSTER = COUNT_AGGREGATION_NEWER | 4,
	COUNT_AGGREGATION_CACHE = COUNT_AGGREGATION_NEWER | 5,
};

struct count_recorder_setup {
	struct opened_events *events;  /* open */
	const struct task_list *tasks; /* empty: whole CPUs */
	const struct cpu_list *cpus;   /* NULL: wherever the tasks run */
	enum count_aggregation aggregation;
	unsigned cache_level; /* of COUNT_AGGREGATION_CACHE; 0: the last */
	uint64_t interval_ms; /* 0: one round at the end */
	bool scale;
	bool with_names;               /* names of the tasks, where each has rows of its own */
	const struct tracefs *tracefs; /* for the formats of tracepoints; NULL: there are none */
};

/* Creates @path; "-" is a stream to standard output. Errors as writer_open(). */
int count_recorder_new(const char *path, struct count_recorder **ret, struct diag *diag);
void count_recorder_free(struct count_recorder *r);
DEFINE_FREEP(count_recorder)

/* Where to put the facts of the machine; those of the events are added by the next. */
struct features *count_recorder_features(struct count_recorder *r);

/* Writes all that precedes the first round. */
int count_recorder_begin(struct count_recorder *r, const struct count_recorder_setup *s,
			 struct diag *diag);

/* Adds counts to the round: those of @e, or what perf itself measured as event @i. */
void count_recorder_add(struct count_recorder *r, const struct opened_event *e);
void count_recorder_add_tool(struct count_recorder *r, size_t i, uint64_t ns);

/* Writes the round; @is_last: there are no intervals. */
int count_recorder_end_round(struct count_recorder *r, bool is_last, uint64_t time_ns,
			     struct diag *diag);

/* Completes the file. */
int count_recorder_finish(struct count_recorder *r, struct diag *diag);
