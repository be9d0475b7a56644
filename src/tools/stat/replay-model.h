/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads counts from a perf.data file back into the counter model, for `perf stat report`.
 *
 * The events come first, then the records of the file in their order. After each round that
 * stat_replay_apply() reports, the model has a table. Records that make no sense are ignored.
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
	bool aggregate; /* use these settings; else those of the recording */
	enum stat_aggregation aggregation;
	unsigned cache_level;
	const struct topology *topology; /* the recording machine's topology */
	const char *version;             /* the version of the perf that recorded, or NULL */
};

enum stat_replay_result {
	STAT_REPLAY_NOTHING,
	STAT_REPLAY_INTERVAL, /* one of several intervals has ended */
	STAT_REPLAY_END,      /* everything has been counted */
};

struct stat_replay *stat_replay_new(const struct stat_replay_options *o);
void stat_replay_free(struct stat_replay *r);
DEFINE_FREEP(stat_replay)

/* Adds the next event. An event without ids was not supported. Everything is copied. */
void stat_replay_add_event(struct stat_replay *r, const struct attr *attr, const char *name,
			   const uint64_t *ids, size_t n_ids);

enum stat_replay_result stat_replay_apply(struct stat_replay *r, const struct record *rec);

/* Ends the input: makes a last table if there were counts without an end. */
enum stat_replay_result stat_replay_end(struct stat_replay *r);

/* Returns the model. It exists from the first result on. */
struct stat_model *stat_replay_model(struct stat_replay *r);

/* True if the requested aggregation is impossible for counts of tasks. */
bool stat_replay_refused(const struct stat_replay *r);
