/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The number of samples of each event of a recording, and of those that it lost: the sums of
 * session_counts, separated by event.
 *
 * A sample that was read for a whole group, {a,b}:S, counts for every member that counted
 * something.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct delivered;
struct diag;
struct record_stats;
struct session;
struct session_sample;

struct event_stats {
	uint64_t samples;
	uint64_t lost_samples;
};

/* Makes counts of the records of @s, which is borrowed. */
struct record_stats *record_stats_new(struct session *s);
void record_stats_free(struct record_stats *st);
DEFINE_FREEP(record_stats)

/*
 * record_stats_add() counts one record, if it is of a counted type. record_stats_share() counts a
 * sample, whose record must have been counted before.
 */
void record_stats_add(struct record_stats *st, const struct delivered *d);
void record_stats_share(struct record_stats *st, const struct session_sample *s);

/* Counts all records of the session. Errors: those of session_feed(). */
int record_stats_gather(struct record_stats *st, struct diag *diag);

/* Returns the counts of event @index. */
struct event_stats record_stats_of(const struct record_stats *st, size_t index);
