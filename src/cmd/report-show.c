/* SPDX-License-Identifier: MIT */
/*
 * From tables to the views that print them.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cmd/report-job.h"
#include "cmd/report-opts.h"
#include "job/report-tables.h"
#include "session/session.h"
#include "tui/tables-print.h"
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
	struct tables_print print;

	report_tables_init(&tables, &j->profile, &rq);
	print = (struct tables_print){
		.profile = &j->profile,
		.tables = &tables,
		.tree = tree_options(j, &tables.order),
		.separator = j->opts->separator,
		.widths = j->opts->widths,
		.times_in_ns = j->opts->ns,
		.quiet = j->opts->verbosity.quiet,
		.colour = wants_colour(j),
		.escape = terminal_is(j->inv->settings->out),
		.verbose = j->opts->verbosity.verbose,
	};
	return j->opts->json ? tables_print_json(&print, j->inv->out)
			     : tables_print_text(&print, j->inv->out);
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
