/* SPDX-License-Identifier: MIT */
/*
 * From tables to the views that print them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cmd/report-job.h"
#include "cmd/report-opts.h"
#include "job/report-tables.h"
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

struct report_tree_options report_tree_wanted(const struct report_opts *o)
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
	const struct calltree_layout *layout = &o->calltree.layout;

	return (struct report_tree_options){
		.print = prints[layout->print],
		.value = values[layout->value],
		.callers_first = report_callers_first(o),
		.threshold = layout->has_threshold ? layout->threshold : DEFAULT_THRESHOLD,
		.of_shown = o->percentage == PERCENTAGE_RELATIVE,
		.limit = layout->limit,
		.without_first = o->sort && !strncmp(o->sort, "sym", 3),
		.separator = o->separator,
		.lines = layout->key != CALLTREE_KEY_FUNCTION || o->branch_history,
		.offsets = layout->key == CALLTREE_KEY_ADDRESS || o->branch_history,
		.full_paths = o->symbols.full_source_path,
		.notes = o->branch_history,
	};
}

static struct report_tree_options tree_options(const struct report_job *j,
					       const struct frame_order *order)
{
	struct report_tree_options t = report_tree_wanted(j->opts);

	t.order = order;
	t.colour = wants_colour(j);
	t.escape = terminal_is(j->inv->settings->out);
	return t;
}

/* Titles, and the tables as the views want them. */
struct blocks {
	struct report_title *titles;
	struct report_block *items;
	size_t n;
};

static void blocks_done(struct blocks *b)
{
	free(b->titles);
	free(b->items);
}

static struct report_title title_of(const struct report_job *j, const struct report_table *t)
{
	const struct profile *p = &j->profile;

	return (struct report_title){
		.events = t->names,
		.n_events = t->n_events,
		.is_group = t->is_group,
		.group_name = session_event(p->session, t->first)->group_name,
		.samples = t->whole.samples,
		.period = t->whole.period,
		.time_slices = j->opts->filter.time.text,
		.socket = j->opts->socket,
		.borrows_stacks = t->borrows_stacks,
		.sort_order = p->mode == REPORT_MEMORY ? p->plan.sort : NULL,
	};
}

static struct blocks blocks_of(const struct report_job *j, const struct report_tables *t,
			       const struct report_tree_options *tree)
{
	struct blocks b = {
		.titles = xcalloc(t->n + 1, sizeof(*b.titles)),
		.items = xcalloc(t->n + 1, sizeof(*b.items)),
		.n = t->n,
	};

	for (size_t i = 0; i < t->n; i++) {
		b.titles[i] = title_of(j, &t->items[i]);
		b.items[i] = (struct report_block){
			.group = t->items[i].group,
			.title = &b.titles[i],
			.tree = t->items[i].has_stacks ? tree : NULL,
		};
	}
	return b;
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

struct report_tables_request report_tables_wanted(const struct report_opts *o)
{
	const struct calltree_layout *l = &o->calltree.layout;

	return (struct report_tables_request){
		.group = o->group,
		.group_sort_idx = o->group_sort_idx,
		.keep_empty = o->skip_empty == CHOICE_NO,
		.symbol_part = o->symbol_filter,
		.percent_limit = l->row_limit,
		.absolute = o->percentage != PERCENTAGE_RELATIVE,
		.with_trees = l->print != CALLTREE_PRINT_NONE,
		.callers_first = report_callers_first(o),
		.same_frames = same_frames(o),
	};
}

static int sum_up_and_print(struct report_job *j)
{
	const struct report_tables_request rq = report_tables_wanted(j->opts);
	_cleanup_(report_tables_done) struct report_tables tables;
	_cleanup_(blocks_done) struct blocks b = { 0 };
	struct report_tree_options tree;

	report_tables_init(&tables, &j->profile, &rq);
	tree = tree_options(j, &tables.order);
	b = blocks_of(j, &tables, &tree);
	return print_blocks(j, &b);
}

int report_show(struct report_job *j)
{
	int r = 0;

	if (j->opts->total_cycles && !j->opts->json)
		report_show_blocks(j);
	else
		r = sum_up_and_print(j);
	if (r < 0 || j->opts->json)
		return r;
	if (!j->opts->verbosity.quiet)
		report_tip_print(session_counts(j->profile.session)->samples, j->inv->out);
	if (j->profile.mode == REPORT_BRANCH)
		report_show_branch_stats(j);
	return 0;
}
