/* SPDX-License-Identifier: MIT */
#include "view/report/dump.h"

#include "base/cleanup.h"
#include "profile/record-stats.h"
#include "session/consumer.h"
#include "view/dump/dump.h"
#include "view/report/stats.h"

struct dumping {
	struct dump dump;
	struct record_stats *stats;
	FILE *out;
};

static int report_dump_on_records(void *arg, const struct record_batch *b)
{
	struct dumping *d = arg;

	for (size_t i = 0; i < b->n; i++) {
		dump_record(&d->dump, &b->items[i], d->out);
		record_stats_add(d->stats, &b->items[i]);
	}
	return 0;
}

static int report_dump_on_samples(void *arg, const struct sample_batch *b)
{
	struct dumping *d = arg;

	for (size_t i = 0; i < b->n; i++) {
		dump_sample_place(&d->dump, b->items[i].sample, d->out);
		record_stats_share(d->stats, &b->items[i]);
	}
	return 0;
}

static int report_dump_on_user(void *arg, const struct delivered *rec)
{
	struct dumping *d = arg;

	dump_record(&d->dump, rec, d->out);
	return 0;
}

int report_dump_print(struct session *s, const struct report_dump_options *o, struct diag *diag)
{
	_cleanup_(record_stats_freep) struct record_stats *stats = record_stats_new(s);
	struct dumping d = { .stats = stats, .out = o->out };
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPES_ALL,
		.samples = report_dump_on_samples,
		.records = report_dump_on_records,
		.user = report_dump_on_user,
		.arg = &d,
	};
	int r;

	dump_init(&d.dump, s);
	d.dump.unsorted = o->unsorted;
	d.dump.for_report = true;
	r = session_feed(s, NULL, &consumer, diag);
	dump_done(&d.dump);
	report_stats_print(s, stats, o->skip_empty, o->out);
	return r;
}
