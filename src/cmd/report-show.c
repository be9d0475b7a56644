/* SPDX-License-Identifier: MIT */
/*
 * From weighed stacks to rows, and to the views that print them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cmd/report-job.h"
#include "cmd/report-opts.h"
#include "job/reading.h"
#include "profile/frame-order.h"
#include "profile/report-group.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "view/report/json.h"
#include "view/report/table.h"
#include "view/report/title.h"
#include "view/report/tree.h"

#define DEFAULT_THRESHOLD 0.5

/* --stdio-color, or what is true of all commands. */
static bool wants_colour(const struct report_job *j)
{
	return j->opts->colour == COLOUR_AUTO ? j->inv->colour : j->opts->colour == COLOUR_ALWAYS;
}

static struct report_tree_options tree_options(const struct report_job *j,
					       const struct frame_order *order)
{
	static const enum report_tree_print prints[] = {
		[CALLTREE_PRINT_DEFAULT] = REPORT_TREE_GRAPH,
		[CALLTREE_PRINT_GRAPH] = REPORT_TREE_GRAPH,
		[CALLTREE_PRINT_FLAT] = REPORT_TREE_FLAT,
		[CALLTREE_PRINT_FRACTAL] = REPORT_TREE_FRACTAL,
		[CALLTREE_PRINT_FOLDED] = REPORT_TREE_FOLDED,
		[CALLTREE_PRINT_NONE] = REPORT_TREE_GRAPH,
	};
	static const enum report_tree_value values[] = {
		[CALLTREE_VALUE_PERCENT] = REPORT_TREE_PERCENT,
		[CALLTREE_VALUE_PERIOD] = REPORT_TREE_PERIOD,
		[CALLTREE_VALUE_COUNT] = REPORT_TREE_COUNT,
	};
	const struct report_opts *o = j->opts;
	const struct calltree_layout *layout = &o->calltree.layout;

	return (struct report_tree_options){
		.print = prints[layout->print],
		.value = values[layout->value],
		.order = order,
		.callers_first = report_callers_first(j->opts),
		.threshold = layout->has_threshold ? layout->threshold : DEFAULT_THRESHOLD,
		.of_shown = o->percentage == PERCENTAGE_RELATIVE,
		.limit = layout->limit,
		.without_first = o->sort && !strncmp(o->sort, "sym", 3),
		.separator = o->separator,
		.lines = layout->key != CALLTREE_KEY_FUNCTION || o->branch_history,
		.offsets = layout->key == CALLTREE_KEY_ADDRESS || o->branch_history,
		.full_paths = o->symbols.full_source_path,
		.notes = o->branch_history,
		.colour = wants_colour(j),
		.escape = terminal_is(j->inv->settings->out),
	};
}

struct blocks {
	struct report_rows **rows; /* by event */
	size_t n_rows;
	struct report_group **groups;
	struct report_title *titles;
	struct report_block *items;
	const char **names;
	size_t n;
};

static void blocks_done(struct blocks *b)
{
	for (size_t i = 0; i < b->n; i++)
		report_group_free(b->groups[i]);
	for (size_t i = 0; i < b->n_rows; i++)
		report_rows_free(b->rows[i]);
	free(b->rows);
	free(b->groups);
	free(b->titles);
	free(b->items);
	free(b->names);
}

static void blocks_init(struct blocks *b, size_t n)
{
	*b = (struct blocks){ .n_rows = n };
	b->rows = xcalloc(n + 1, sizeof(*b->rows));
	b->groups = xcalloc(n + 1, sizeof(*b->groups));
	b->titles = xcalloc(n + 1, sizeof(*b->titles));
	b->items = xcalloc(n + 1, sizeof(*b->items));
	b->names = xcalloc(n + 1, sizeof(*b->names));
}

static bool has_samples(const struct blocks *b, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (b->rows[i]->all.samples)
			return true;
	return false;
}

static bool any_has_stacks(const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

static bool borrows_stacks(const struct report_job *j, const struct session_event *e)
{
	return j->opts->show_ref_call_graph && !(e->attr.sample_type & PERF_SAMPLE_CALLCHAIN) &&
	       any_has_stacks(j->profile.session);
}

static bool has_stacks(const struct report_job *j, const struct session_event *e)
{
	bool has = e->attr.sample_type & report_stack_types(j->opts);

	return (has || (borrows_stacks(j, e) && j->profile.plan.children)) &&
	       j->profile.mode != REPORT_BRANCH;
}

static void add_block(struct report_job *j, struct blocks *b, size_t first, size_t n,
		      const struct report_tree_options *tree)
{
	const struct session_event *e = session_event(j->profile.session, first);
	struct report_title *t = &b->titles[b->n];

	if (j->opts->skip_empty != CHOICE_NO && !has_samples(b, first, n))
		return;
	b->groups[b->n] = report_group_new((const struct report_rows *const *)&b->rows[first], n,
					   j->opts->group_sort_idx);
	*t = (struct report_title){
		.events = &b->names[first],
		.n_events = n,
		.is_group = e->n_members > 1,
		.group_name = e->group_name,
		.time_slices = j->opts->filter.time.text,
		.socket = j->opts->socket,
		.borrows_stacks = borrows_stacks(j, e),
		.sort_order = j->profile.mode == REPORT_MEMORY ? j->profile.plan.sort : NULL,
	};
	for (size_t i = first; i < first + n; i++) {
		const struct report_rows *r = b->rows[i];
		struct weight w = report_rows_whole(r);

		t->samples += w.samples;
		t->period += w.period;
	}
	b->items[b->n] = (struct report_block){
		.group = b->groups[b->n],
		.title = t,
		.tree = has_stacks(j, e) ? tree : NULL,
	};
	b->n++;
}

static const char *only(const struct report_job *j, const char *key, const char *list)
{
	return report_plan_has_key(&j->profile.plan, key) ? sample_filter_only_name(list) : NULL;
}

static void print_head(const struct report_job *j)
{
	const struct report_opts *o = j->opts;
	const struct report_head h = {
		.quiet = o->verbosity.quiet,
		.comm = only(j, "comm", o->filter.comms),
		.dso = only(j, "dso", o->filter.dsos),
		.symbol = only(j, "symbol", o->filter.symbols),
		.lost_samples = session_counts(j->profile.session)->lost_samples,
	};

	report_head_print(&h, j->inv->out);
}

static int print_json(struct report_job *j, const struct report_view *view)
{
	const struct features *f = session_features(j->profile.session);
	const struct report_facts facts = {
		.file = session_path(j->profile.session),
		.command = &f->cmdline,
		.hostname = f->hostname,
		.os_release = f->os_release,
		.arch = f->arch,
		.perf_version = f->version,
		.lost_samples = session_counts(j->profile.session)->lost_samples,
	};

	return report_json_print(j->inv->out, view, &facts);
}

static int print_blocks(struct report_job *j, const struct blocks *b)
{
	const struct report_opts *o = j->opts;
	const struct report_view view = {
		.plan = &j->profile.plan,
		.blocks = b->items,
		.n_blocks = b->n,
		.separator = o->separator,
		.widths = o->widths,
		.times_in_ns = o->ns,
		.narrow_images = o->filter.dsos || o->separator,
		.quiet = o->verbosity.quiet,
		.colour = wants_colour(j),
		.escape = terminal_is(j->inv->settings->out),
		.verbose = o->verbosity.verbose,
		.workers = j->profile.workers,
	};

	if (o->json)
		return print_json(j, &view);
	print_head(j);
	return report_print(j->inv->out, &view);
}

/* What makes frames of call trees the same. */
static enum frame_order_by same_frames(const struct report_opts *o)
{
	static const enum frame_order_by keys[] = {
		[CALLTREE_KEY_FUNCTION] = FRAMES_BY_FUNCTION,
		[CALLTREE_KEY_ADDRESS] = FRAMES_BY_ADDRESS,
		[CALLTREE_KEY_SRCLINE] = FRAMES_BY_LINE,
	};

	return o->branch_history ? FRAMES_BY_ADDRESS : keys[o->calltree.layout.key];
}

static int sum_up_and_print(struct report_job *j, const struct report_options *ro)
{
	size_t n = session_event_count(j->profile.session);
	_cleanup_(frame_order_done) struct frame_order order = { 0 };
	_cleanup_(blocks_done) struct blocks b;
	struct report_tree_options tree;

	frame_order_init(&order, j->profile.env.frames, j->profile.session, same_frames(j->opts));
	tree = tree_options(j, &order);
	blocks_init(&b, n);
	for (size_t i = 0; i < n; i++) {
		b.rows[i] = report_rows_new(ro, session_event(j->profile.session, i),
					    collector_tally(j->profile.collector, i));
		b.names[i] = session_event(j->profile.session, i)->name;
	}
	for (size_t i = 0, size; i < n; i += size) {
		size = reading_group_size(j->profile.session, j->opts->group, i);
		add_block(j, &b, i, size, ro->with_trees ? &tree : NULL);
	}
	return print_blocks(j, &b);
}

int report_show(struct report_job *j)
{
	const struct report_options options = {
		.env = &j->profile.env,
		.keys = j->profile.plan.keys.items,
		.n_keys = j->profile.plan.keys.n,
		.order = j->profile.plan.order,
		.n_order = j->profile.plan.n_order,
		.filter = j->profile.filter,
		.children = j->profile.plan.children,
		.by_mode = j->profile.plan.by_mode,
		.sorts_comms = j->profile.plan.sorts_comms,
		.part = j->opts->symbol_filter,
		.percent_limit = j->opts->calltree.layout.row_limit,
		.absolute = j->opts->percentage != PERCENTAGE_RELATIVE,
		.in_groups = j->profile.plan.levels || j->opts->group == CHOICE_YES ||
			     session_has_groups(j->profile.session),
		.with_trees = j->opts->calltree.layout.print != CALLTREE_PRINT_NONE,
		.callers_first = report_callers_first(j->opts),
	};
	int r = 0;

	if (j->opts->total_cycles && !j->opts->json)
		report_show_blocks(j);
	else
		r = sum_up_and_print(j, &options);
	if (r < 0 || j->opts->json)
		return r;
	if (!j->opts->verbosity.quiet)
		report_tip_print(session_counts(j->profile.session)->samples, j->inv->out);
	if (j->profile.mode == REPORT_BRANCH)
		report_show_branch_stats(j);
	return 0;
}
