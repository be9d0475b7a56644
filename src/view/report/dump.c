/* SPDX-License-Identifier: MIT */
#include "view/report/dump.h"

#include "base/cleanup.h"
#include "profile/record-stats.h"
#include "session/session.h"
#include "view/dump/dump.h"
#include "view/report/stats.h"

struct dumping {
	struct dump dump;
	struct record_stats *stats;
	FILE *out;
};

/* @times: once for each event that the sample is of. */
static void print_places(const struct dumping *d, const struct delivered *rec, size_t times)
{
	bool swap = datafile_swapped(session_datafile(d->dump.session));
	struct sample sample;

	if (!times || sample_decode(rec->raw.bytes, rec->raw.header.size, swap, &rec->event->attr,
				    &sample) < 0)
		return;
	/* Nobody, rather than the idle task. */
	if (!(rec->event->attr.sample_type & PERF_SAMPLE_TID))
		sample.pid = sample.tid = UINT32_MAX;
	while (times--)
		dump_sample_place(&d->dump, &sample, d->out);
}

static int on_batch(void *arg, const struct delivered *items, size_t n)
{
	struct dumping *d = arg;

	for (size_t i = 0; i < n; i++) {
		dump_record(&d->dump, &items[i], d->out);
		print_places(d, &items[i], record_stats_add(d->stats, &items[i]));
	}
	return 0;
}

static int on_user(void *arg, const struct delivered *rec)
{
	struct dumping *d = arg;

	dump_record(&d->dump, rec, d->out);
	return 0;
}

int report_dump_print(struct session *s, const struct report_dump_options *o, struct diag *diag)
{
	_cleanup_(record_stats_freep) struct record_stats *stats = record_stats_new(s);
	struct dumping d = { .stats = stats, .out = o->out };
	const struct session_sink sink = { .batch = on_batch, .user = on_user, .arg = &d };
	int r;

	dump_init(&d.dump, s);
	d.dump.unsorted = o->unsorted;
	d.dump.for_report = true;
	r = session_deliver(s, &sink, diag);
	report_stats_print(s, stats, o->skip_empty, o->out);
	return r;
}
