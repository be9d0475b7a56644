/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts from a perf.data file back into the counter model: what `perf stat report` shows.
 *
 * The events come first, then the records of the file in their order. After each round that
 * stat_replay_apply() tells of, the model has a table. Records that make no sense are passed over.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "count/stat.h"

struct attr;
struct record;
struct stat_model;
struct stat_replay;
struct topology;

struct stat_replay_options {
	bool aggregate; /* as follows; else as it was when recording */
	enum stat_aggregation aggregation;
	unsigned cache_level;
	const struct topology *topology; /* of the machine that recorded */
	const char *version;             /* of the perf that recorded, or NULL */
};

enum stat_replay_result {
	STAT_REPLAY_NOTHING,
	STAT_REPLAY_INTERVAL, /* one of several has ended */
	STAT_REPLAY_END,      /* all has been counted */
};

struct stat_replay *stat_replay_new(const struct stat_replay_options *o);
void stat_replay_free(struct stat_replay *r);
DEFINE_FREEP(stat_replay)

/* The next event; one without ids was not supported. Everything is copied. */
void stat_replay_add_event(struct stat_replay *r, const struct attr *attr, const char *name,
			   const uint64_t *ids, size_t n_ids);

enum stat_replay_result stat_replay_apply(struct stat_replay *r, const struct record *rec);

/* The file has ended: makes a last table if counts came and no end. */
enum stat_replay_result stat_replay_end(struct stat_replay *r);

/* The model, from the first result on. */
struct stat_model *stat_replay_model(struct stat_replay *r);

/* Whether another aggregation was asked for than counts of tasks can have. */
bool stat_replay_refused(const struct stat_replay *r);
