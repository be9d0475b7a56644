/* SPDX-License-Identifier: MIT */
#include "profile/report-tables.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/profile.h"
#include "profile/report-group.h"
#include "session/reading.h"
#include "session/session.h"

static struct report_options report_tables_options_of(const struct profile *p,
						      const struct report_tables_request *rq)
{
	return (struct report_options){
		.rq = rq->rows,
		/* Rows only look up values in it. */
		.env = (struct key_env *)&p->env,
		.keys = p->plan.keys.items,
		.n_keys = p->plan.keys.n,
		.order = p->plan.order,
		.n_order = p->plan.n_order,
		.filter = p->filter,
		.children = p->plan.children,
		.by_mode = p->plan.by_mode,
		.needs = p->plan.needs,
		.sorts_comms = p->plan.sorts_comms,
		.mixes_places = p->plan.mixes_places,
		.in_groups = p->plan.levels || rq->group == CHOICE_YES ||
			     session_has_groups(p->session),
		.stop = p->rq.stop,
		.workers = p->workers,
	};
}

static bool report_tables_has_samples(const struct report_tables *t, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (t->rows[i]->all.samples)
			return true;
	return false;
}

static bool borrows_stacks(const struct profile *p, const struct session_event *e)
{
	return p->rq.references && !(e->attr.sample_type & PERF_SAMPLE_CALLCHAIN) &&
	       profile_sample_types(p) & PERF_SAMPLE_CALLCHAIN;
}

static bool report_tables_has_stacks(const struct profile *p, const struct session_event *e)
{
	uint64_t types = PERF_SAMPLE_CALLCHAIN | (p->rq.history ? PERF_SAMPLE_BRANCH_STACK : 0);
	bool has = e->attr.sample_type & types;

	return (has || (borrows_stacks(p, e) && p->plan.children)) && p->mode != REPORT_BRANCH;
}

/* True if there may be stacks, whose frames have to be ordered. */
static bool may_have_stacks(const struct profile *p)
{
	return profile_sample_types(p) &
	       (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_STACK_USER);
}

static struct weight report_tables_whole_of(const struct report_tables *t, size_t first, size_t n)
{
	struct weight sum = { 0 };

	for (size_t i = first; i < first + n; i++) {
		struct weight w = report_rows_whole(t->rows[i]);

		sum.samples += w.samples;
		sum.period += w.period;
	}
	return sum;
}

static void report_tables_add_table(struct report_tables *t, const struct profile *p,
				    const struct report_tables_request *rq, size_t first, size_t n)
{
	const struct session_event *e = session_event(p->session, first);

	if (!rq->keep_empty && !report_tables_has_samples(t, first, n))
		return;
	t->items[t->n++] = (struct report_table){
		.group = report_group_new((const struct report_rows *const *)&t->rows[first], n,
					  rq->group_sort_idx),
		.first = first,
		.n_events = n,
		.whole = report_tables_whole_of(t, first, n),
		.names = &t->names[first],
		.is_group = e->n_members > 1,
		.borrows_stacks = borrows_stacks(p, e),
		.has_stacks = rq->rows.with_trees && report_tables_has_stacks(p, e),
	};
}

void report_tables_init(struct report_tables *ret, const struct profile *p,
			const struct report_tables_request *rq)
{
	size_t n = session_event_count(p->session);

	*ret = (struct report_tables){ .options = report_tables_options_of(p, rq), .n_rows = n };
	if (may_have_stacks(p))
		frame_order_init(&ret->order, p->env.frames, p->session, rq->same_frames);
	ret->rows = xcalloc(n + 1, sizeof(*ret->rows));
	ret->names = xcalloc(n + 1, sizeof(*ret->names));
	ret->items = xcalloc(n + 1, sizeof(*ret->items));
	for (size_t i = 0; i < n; i++) {
		const struct session_event *e = session_event(p->session, i);

		ret->rows[i] = report_rows_new(&ret->options, e, collector_tally(p->collector, i));
		ret->names[i] = e->name;
	}
	for (size_t i = 0, size; i < n; i += size) {
		size = reading_group_size(p->session, rq->group, i);
		report_tables_add_table(ret, p, rq, i, size);
	}
}

void report_tables_done(struct report_tables *t)
{
	for (size_t i = 0; i < t->n; i++)
		report_group_free(t->items[i].group);
	for (size_t i = 0; i < t->n_rows; i++)
		report_rows_free(t->rows[i]);
	frame_order_done(&t->order);
	free(t->rows);
	free(t->names);
	free(t->items);
	*t = (struct report_tables){ 0 };
}
