/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What stands between a session and its consumer: decodes samples, shares them out, and calls the
 * consumer. Private to session/.
 */
#include "session/consumer.h"
#include "session/deliver.h"

struct group_reads;

struct feed {
	struct session *session;
	struct workers *workers;
	struct consumer consumer;
	bool begun;
	size_t n_events;            /* that were looked at: a stream tells of more on its way */
	struct group_reads *groups; /* NULL: no event carries the counts of its group */
};

/* @w may be NULL. @consumer is copied, the rest borrowed. */
struct feed feed_of(struct session *s, struct workers *w, const struct consumer *consumer);
void feed_done(struct feed *f);

/* Tells the consumer that events are known, the first time it is called. Results as of begin(). */
int feed_begin(struct feed *f);

/* Where records in order of time go to. */
struct session_sink feed_sink(struct feed *f);
