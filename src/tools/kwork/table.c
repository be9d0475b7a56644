/* SPDX-License-Identifier: MIT */
#include "tools/kwork/table.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/fitted-output.h"
#include "measure/record.h"
#include "tools/kwork/count-work.h"
#include "tools/kwork/kwork-work.h"
#include "tools/kwork/opts.h"
#include "tools/kwork/order-model.h"
#include "tools/kwork/table-view.h"

int kwork_order_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	(void)o, (void)negated;
	return kwork_order_parse(value, kwork_key_names, field, diag);
}

static struct kwork_table_end kwork_table_end_of(const struct kwork_items *items,
						 const struct kwork_skipped *skipped)
{
	struct kwork_table_end e = { .skipped_raises = skipped->raises,
				     .skipped_begins = skipped->begins,
				     .skipped_ends = skipped->ends };

	for (size_t i = 0; i < items->n; i++) {
		e.count += items->items[i]->count;
		e.sum_ns += items->items[i]->sum_ns;
	}
	return e;
}

struct kwork_table_show {
	struct invocation *inv;
	const struct kwork_table_request *rq;
};

static void kwork_table_print(const struct kwork_table_show *s, const struct kwork_items *items,
			      const struct kwork_table_end *end)
{
	const struct kwork_classes classes = kwork_classes_or_usual(&s->rq->reading->common);
	size_t n;
	_cleanup_(freep) const struct kwork_item **rows = kwork_items_sorted(items, s->rq->order,
									     &classes, &n);

	struct fitted_output fitted;

	fitted_open(&fitted, s->inv, s->inv->out);
	if (s->rq->mode == KWORK_DELAY)
		kwork_delays_print(fitted.out, rows, n, end);
	else
		kwork_runtimes_print(fitted.out, rows, n, end);
	fitted_close(&fitted);
}

static int kwork_table_show_recorded(const struct kwork_table_show *s)
{
	struct kwork_request read = { .model = { .mode = s->rq->mode } };
	_cleanup_(kwork_done) struct kwork_model m = { 0 };
	struct kwork_reading reading;
	struct kwork_table_end end;
	int status = kwork_read_for(s->inv, s->rq->reading, &read, &m, &reading);

	if (status >= 0)
		return status;
	end = kwork_table_end_of(&m.items, &m.skipped);
	end.with_totals = s->rq->with_totals;
	end.time_ns = m.last_time - m.first_time;
	end.records = reading.records;
	end.lost_events = reading.lost_events;
	end.lost_records = reading.lost_records;
	kwork_table_print(s, &m.items, &end);
	return EXIT_OK;
}

static int kwork_table_tell(void *arg, const struct kwork_counted *c, bool is_last)
{
	const struct kwork_table_show *s = arg;
	struct kwork_table_end end = kwork_table_end_of(&c->items, &c->skipped);

	(void)is_last;
	end.with_totals = s->rq->with_totals;
	end.time_ns = c->elapsed_ns;
	end.records = c->events;
	kwork_table_print(s, &c->items, &end);
	return 0;
}

static int kwork_table_show_counted(struct kwork_table_show *s, struct diag *diag)
{
	const struct kwork_reading_opts *o = s->rq->reading;
	struct notes notes = command_notes(s->inv);
	struct record_result result;
	const struct kwork_count_request count = { .mode = s->rq->mode,
						   .classes = kwork_classes_or_usual(&o->common),
						   .name = o->name,
						   .cpus = &o->filter.cpus,
						   .argv = s->inv->argv,
						   .tell = kwork_table_tell,
						   .arg = s };
	int r = kwork_count(&count, &notes, &result, diag);

	return r < 0 ? command_fail(s->inv, r, diag) : record_result_status(&result);
}

int kwork_table_show(struct invocation *inv, const struct kwork_table_request *rq)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct kwork_table_show s = { inv, rq };

	if (kwork_check_bpf(inv, rq->reading, &diag) < 0)
		return command_usage(inv, &diag);
	return rq->reading->use_bpf ? kwork_table_show_counted(&s, &diag)
				    : kwork_table_show_recorded(&s);
}
