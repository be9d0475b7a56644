/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The step between a session and its consumer: decodes samples, splits batches among workers and
 * calls the consumer. Private to session/.
 */
#include "session/consumer.h"
#include "session/deliver.h"

struct chain_depths;
struct group_reads;

struct feed {
	struct session *session;
	struct workers *workers;
	struct consumer consumer;
	bool begun;
	size_t n_events; /* events already checked: a stream reports more later */
	struct event_set unwanted;
	struct chain_depths *depths; /* NULL: depths are not counted */
	struct group_reads *groups;  /* NULL: no event has the counts of its group */
};

/* Makes a feed. @w may be NULL. @consumer is copied, the rest is borrowed. */
struct feed feed_of(struct session *s, struct workers *w, const struct consumer *consumer);
void feed_done(struct feed *f);

/* Calls begin() of the consumer on the first call. Returns its result. */
int feed_begin(struct feed *f);

/* Returns the sink for records in order of time. */
struct session_sink feed_sink(struct feed *f);
