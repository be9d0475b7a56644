/* SPDX-License-Identifier: MIT */
#include "cmd/kwork-table.h"

#include <stdlib.h>

#include "analysis/kwork/order.h"
#include "base/cleanup.h"
#include "cli/command.h"
#include "cmd/kwork-opts.h"
#include "job/kwork.h"
#include "view/kwork/table.h"

int kwork_order_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	(void)o, (void)negated;
	return kwork_order_parse(value, kwork_key_names, field, diag);
}

static struct kwork_table_end end_of(const struct kwork_model *m, const struct kwork_reading *r)
{
	struct kwork_table_end e = { .time_ns = m->last_time - m->first_time,
				     .records = r->records,
				     .lost_events = r->lost_events,
				     .lost_records = r->lost_records,
				     .skipped_raises = m->skipped.raises,
				     .skipped_begins = m->skipped.begins,
				     .skipped_ends = m->skipped.ends };

	for (size_t i = 0; i < m->items.n; i++) {
		e.count += m->items.items[i]->count;
		e.sum_ns += m->items.items[i]->sum_ns;
	}
	return e;
}

int kwork_table_show(struct invocation *inv, const struct kwork_table_request *rq)
{
	struct kwork_request read = { .model = { .mode = rq->mode } };
	_cleanup_(kwork_done) struct kwork_model m = { 0 };
	_cleanup_(freep) const struct kwork_item **rows = NULL;
	struct kwork_reading reading;
	struct kwork_table_end end;
	size_t n;
	int status = kwork_read_for(inv, rq->reading, &read, &m, &reading);

	if (status >= 0)
		return status;
	rows = kwork_items_sorted(&m.items, rq->order, &m.o.classes, &n);
	end = end_of(&m, &reading);
	end.with_totals = rq->with_totals;
	if (rq->mode == KWORK_DELAY)
		kwork_delays_print(inv->out, rows, n, &end);
	else
		kwork_runtimes_print(inv->out, rows, n, &end);
	return EXIT_OK;
}
