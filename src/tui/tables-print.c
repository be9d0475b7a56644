/* SPDX-License-Identifier: MIT */
#include "tui/tables-print.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/profile.h"
#include "profile/report-tables.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "view/report/json.h"
#include "view/report/table.h"
#include "view/report/title.h"

/* Titles, and the tables in the form that the views need. */
struct blocks {
	struct report_title *titles;
	struct report_block *items;
	struct report_tree_options tree;
};

static void blocks_done(struct blocks *b)
{
	free(b->titles);
	free(b->items);
}

/*
 * Returns the sort order to print. If only columns were requested, the default keys are named,
 * although they sort nothing.
 */
static const char *sort_order(const struct report_plan *plan)
{
	return *plan->sort || plan->needs & ROW_NEEDS_MEMORY ? plan->sort
							     : keys_default(REPORT_MEMORY);
}

static struct report_title tables_print_title_of(const struct profile *p,
						 const struct report_table *t)
{
	return (struct report_title){
		.events = t->names,
		.n_events = t->n_events,
		.is_group = t->is_group,
		.group_name = session_event(p->session, t->first)->group_name,
		.samples = t->whole.samples,
		.period = t->whole.period,
		.time_slices = p->rq.filter.time.text,
		.socket = p->rq.of_socket ? p->rq.socket : -1,
		.borrows_stacks = t->borrows_stacks,
		.sort_order = p->mode == REPORT_MEMORY ? sort_order(&p->plan) : NULL,
	};
}

static void blocks_init(struct blocks *b, const struct tables_print *p)
{
	const struct report_tables *t = p->tables;

	*b = (struct blocks){
		.titles = xcalloc(t->n + 1, sizeof(*b->titles)),
		.items = xcalloc(t->n + 1, sizeof(*b->items)),
		.tree = p->tree,
	};
	b->tree.order = &t->order;
	for (size_t i = 0; i < t->n; i++) {
		b->titles[i] = tables_print_title_of(p->profile, &t->items[i]);
		b->items[i] = (struct report_block){
			.group = t->items[i].group,
			.title = &b->titles[i],
			.tree = t->items[i].has_stacks ? &b->tree : NULL,
		};
	}
}

static struct report_view tables_print_view_of(const struct tables_print *p, const struct blocks *b)
{
	return (struct report_view){
		.plan = &p->profile->plan,
		.blocks = b->items,
		.n_blocks = p->tables->n,
		.form = p->tree.form,
		.narrow_images = p->profile->rq.filter.dsos || p->tree.form.separator,
		.workers = p->profile->workers,
	};
}

static const char *tables_print_only(const struct profile *p, const char *key, const char *list)
{
	return report_plan_has_key(&p->plan, key) ? sample_filter_only_name(list) : NULL;
}

static void tables_print_head(const struct tables_print *p, FILE *out)
{
	const struct filter_request *f = &p->profile->rq.filter;
	const struct report_head h = {
		.quiet = p->tree.form.quiet,
		.comm = tables_print_only(p->profile, "comm", f->comms),
		.dso = tables_print_only(p->profile, "dso", f->dsos),
		.symbol = tables_print_only(p->profile, "symbol", f->symbols),
		.lost_samples = session_counts(p->profile->session)->lost_samples,
	};

	report_head_print(&h, out);
}

int tables_print_text(const struct tables_print *p, FILE *out)
{
	_cleanup_(blocks_done) struct blocks b;
	struct report_view view;

	blocks_init(&b, p);
	view = tables_print_view_of(p, &b);
	tables_print_head(p, out);
	return report_print(out, &view);
}

int tables_print_json(const struct tables_print *p, FILE *out)
{
	const struct session *s = p->profile->session;
	const struct features *f = session_features(s);
	const struct report_facts facts = {
		.file = session_path(s),
		.command = &f->cmdline,
		.hostname = f->hostname,
		.os_release = f->os_release,
		.arch = f->arch,
		.perf_version = f->version,
		.lost_samples = session_counts(s)->lost_samples,
	};
	_cleanup_(blocks_done) struct blocks b;
	struct report_view view;

	blocks_init(&b, p);
	view = tables_print_view_of(p, &b);
	return report_json_print(out, &view, &facts);
}
