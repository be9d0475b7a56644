/* SPDX-License-Identifier: MIT */
#include "profile/record-stats.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/consumer.h"
#include "session/group-read.h"
#include "wire/record.h"

struct record_stats {
	struct session *session;
	struct {
		struct event_stats *items; /* by index; the events of a stream come one by one */
		size_t n, room;
	} events;
};

struct record_stats *record_stats_new(struct session *s)
{
	struct record_stats *st = xcalloc(1, sizeof(*st));

	st->session = s;
	return st;
}

void record_stats_free(struct record_stats *st)
{
	if (!st)
		return;
	free(st->events.items);
	free(st);
}

static struct event_stats *stats_of(struct record_stats *st, const struct session_event *e)
{
	while (st->events.n <= e->index)
		ARRAY_ADD(&st->events);
	return &st->events.items[e->index];
}

static void record_stats_add_lost(struct record_stats *st, const struct delivered *d)
{
	struct record r;

	if (session_decode_record(st->session, d, &r) >= 0)
		stats_of(st, d->event)->lost_samples += r.lost.lost;
}

void record_stats_add(struct record_stats *st, const struct delivered *d)
{
	if (d->event && d->raw.header.type == PERF_RECORD_LOST_SAMPLES)
		record_stats_add_lost(st, d);
	else if (d->event && d->raw.header.type == PERF_RECORD_SAMPLE &&
		 !group_reads_wanted(d->event))
		stats_of(st, d->event)->samples++;
}

void record_stats_share(struct record_stats *st, const struct session_sample *s)
{
	if (group_reads_wanted(s->record->event))
		stats_of(st, s->event)->samples++;
}

static int record_stats_on_records(void *arg, const struct record_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		record_stats_add(arg, &b->items[i]);
	return 0;
}

static int record_stats_on_samples(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		record_stats_share(arg, &b->items[i]);
	return 0;
}

/* Requests the samples that have the counts of their group. Only these need to be decoded. */
static int record_stats_on_begin(void *arg, struct consumer *c)
{
	const struct record_stats *st = arg;

	for (size_t i = 0; i < session_event_count(st->session); i++)
		if (group_reads_wanted(session_event(st->session, i)))
			c->samples = record_stats_on_samples;
	return 0;
}

int record_stats_gather(struct record_stats *st, struct diag *diag)
{
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPES_ALL,
		.begin = record_stats_on_begin,
		.records = record_stats_on_records,
		.arg = st,
	};

	return session_feed(st->session, NULL, &consumer, diag);
}

struct event_stats record_stats_of(const struct record_stats *st, size_t index)
{
	return index < st->events.n ? st->events.items[index] : (struct event_stats){ 0 };
}
