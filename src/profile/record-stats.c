/* SPDX-License-Identifier: MIT */
#include "profile/record-stats.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/group-read.h"
#include "session/session.h"
#include "wire/record.h"

struct record_stats {
	struct session *session;
	struct group_reads *reads;
	struct {
		struct event_stats *items; /* by index; those of a stream come one by one */
		size_t n, room;
	} events;
};

struct record_stats *record_stats_new(struct session *s)
{
	struct record_stats *st = xcalloc(1, sizeof(*st));

	st->session = s;
	st->reads = group_reads_new();
	return st;
}

void record_stats_free(struct record_stats *st)
{
	if (!st)
		return;
	group_reads_free(st->reads);
	free(st->events.items);
	free(st);
}

static struct event_stats *stats_of(struct record_stats *st, const struct session_event *e)
{
	while (st->events.n <= e->index)
		ARRAY_ADD(&st->events);
	return &st->events.items[e->index];
}

static size_t add_shares(struct record_stats *st, const struct delivered *d)
{
	bool swap = datafile_swapped(session_datafile(st->session));
	const struct group_share *shares;
	struct sample sample;
	size_t n;

	if (sample_decode(d->raw.bytes, d->raw.header.size, swap, &d->event->attr, &sample) < 0)
		return 0;
	n = group_reads_share(st->reads, st->session, &sample, &shares);
	for (size_t i = 0; i < n; i++)
		stats_of(st, shares[i].event)->samples++;
	return n;
}

static void add_lost(struct record_stats *st, const struct delivered *d)
{
	bool swap = datafile_swapped(session_datafile(st->session));
	struct record r;

	if (record_decode(d->raw.bytes, d->raw.header.size, swap, &d->event->attr, &r) >= 0)
		stats_of(st, d->event)->lost_samples += r.lost.lost;
}

size_t record_stats_add(struct record_stats *st, const struct delivered *d)
{
	if (d->event && d->raw.header.type == PERF_RECORD_LOST_SAMPLES)
		add_lost(st, d);
	if (!d->event || d->raw.header.type != PERF_RECORD_SAMPLE)
		return 0;
	if (group_reads_wanted(d->event))
		return add_shares(st, d);
	stats_of(st, d->event)->samples++;
	return 1;
}

static int on_batch(void *arg, const struct delivered *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record_stats_add(arg, &items[i]);
	return 0;
}

int record_stats_gather(struct record_stats *st, struct diag *diag)
{
	const struct session_sink sink = { .batch = on_batch, .arg = st };

	return session_deliver(st->session, &sink, diag);
}

struct event_stats record_stats_of(const struct record_stats *st, size_t index)
{
	return index < st->events.n ? st->events.items[index] : (struct event_stats){ 0 };
}
