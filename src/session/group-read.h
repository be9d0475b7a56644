/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Group sampling, `{a,b}:S`: only the leader samples, and its samples have the counts of all events
 * of the group. The count of each event since its last reading is its share of the sample.
 *
 * This is the state of one pass over the samples, which must be given in order.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct group_reads;
struct sample;
struct session;
struct session_event;

/* The period of one event in a sample that was read for several. */
struct group_share {
	const struct session_event *event;
	uint64_t period;
};

struct group_reads *group_reads_new(void);
void group_reads_free(struct group_reads *g);
DEFINE_FREEP(group_reads)

/* True if samples of @e have the counts of a group. */
bool group_reads_wanted(const struct session_event *e);

/*
 * Returns the shares of @sample, in the order of the group, without events that counted nothing and
 * without ids that no event owns. *@ret is valid until the next call. Returns how many there are.
 */
size_t group_reads_share(struct group_reads *g, const struct session *s,
			 const struct sample *sample, const struct group_share **ret);
