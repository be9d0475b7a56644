/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes counts into a perf.data file: the output of `perf stat record`.
 *
 * A file first contains the tasks and events that were counted. Rounds follow: the counts of every
 * event at every place since the start, ended by the time at which they were read. `perf stat
 * report` makes the same tables from it again, or others.
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
 * STAT_CONFIG's aggr_mode, numbered as in 6.1; newer versions differ from CORE on. 6.1 cannot show
 * the last two: they are numbered as in 6.8 and later, and are written with the level of a cache.
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
	struct opened_events *events;  /* already open */
	const struct task_list *tasks; /* empty: whole CPUs */
	const struct cpu_list *cpus;   /* NULL: wherever the tasks run */
	enum count_aggregation aggregation;
	unsigned cache_level; /* for COUNT_AGGREGATION_CACHE; 0: the last */
	uint64_t interval_ms; /* 0: one round at the end */
	bool scale;
	bool with_names;               /* write names of the tasks, if each has rows of its own */
	const struct tracefs *tracefs; /* for the formats of tracepoints; NULL: there are none */
};

/* Creates @path; "-" is a stream to standard output. Errors as for writer_open(). */
int count_recorder_new(const char *path, struct count_recorder **ret, struct diag *diag);
void count_recorder_free(struct count_recorder *r);
DEFINE_FREEP(count_recorder)

/*
 * Returns the features, into which the caller puts the facts of the machine; the next function adds
 * those of the events.
 */
struct features *count_recorder_features(struct count_recorder *r);

/* Writes everything that precedes the first round. */
int count_recorder_begin(struct count_recorder *r, const struct count_recorder_setup *s,
			 struct diag *diag);

/* Add counts to the round: those of @e, or the value that perf itself measured as event @i. */
void count_recorder_add(struct count_recorder *r, const struct opened_event *e);
void count_recorder_add_tool(struct count_recorder *r, size_t i, uint64_t ns);

/* Writes the round; @is_last: there are no intervals. */
int count_recorder_end_round(struct count_recorder *r, bool is_last, uint64_t time_ns,
			     struct diag *diag);

/* Completes the file. */
int count_recorder_finish(struct count_recorder *r, struct diag *diag);
