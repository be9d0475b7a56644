/* SPDX-License-Identifier: MIT */
/* Passes tables to the views that print them. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "options/calltree-view.h"
#include "profile/report-tables.h"
#include "session/session.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"
#include "tui/tables-print.h"
#include "view/report/title.h"
#include "view/report/tree.h"

/* True if --stdio-color, or the setting of all commands, enables colours. */
static bool wants_colour(const struct report_job *j)
{
	return j->opts->colour == COLOUR_AUTO ? j->inv->colour : j->opts->colour == COLOUR_ALWAYS;
}

struct report_tree_options report_tree_wanted(const struct report_opts *o)
{
	struct report_tree_options t = calltree_view(&o->calltree.layout, o->profile.plan.sort,
						     o->branch_history);

	t.form = o->form;
	t.full_paths = o->profile.symbols.full_source_path;
	return t;
}

double report_trees_from(const struct report_opts *o)
{
	const struct report_tree_options t = report_tree_wanted(o);

	/* Shares of a parent, or of the filtered samples, are not known beforehand. */
	if (o->html || t.print == REPORT_TREE_FRACTAL || o->percentage == PERCENTAGE_RELATIVE)
		return 0;
	return t.threshold / 100;
}

static struct report_tree_options tree_options(const struct report_job *j,
					       const struct frame_order *order)
{
	const struct report_opts *o = j->opts;
	struct report_tree_options t = report_tree_wanted(o);

	t.order = order;
	t.form.quiet = o->verbosity.quiet;
	t.form.verbose = o->verbosity.verbose;
	t.form.colour = wants_colour(j);
	t.form.escape = terminal_is(j->inv->settings->out);
	if (!o->full_names && !t.form.verbose && !t.form.separator && !t.form.widths) {
		t.form.columns = command_columns(j->inv, j->inv->out);
		t.form.dots = terminal_dots();
	}
	return t;
}

struct report_tables_request report_tables_wanted(const struct report_opts *o)
{
	const struct calltree_layout *l = &o->calltree.layout;
	struct report_tables_request rq = o->tables;

	rq.keep_empty = o->skip_empty == CHOICE_NO;
	rq.rows.percent_limit = l->row_limit;
	rq.rows.absolute = o->percentage != PERCENTAGE_RELATIVE;
	rq.rows.with_trees = l->print != CALLTREE_PRINT_NONE;
	rq.rows.callers_first = report_callers_first(o);
	rq.same_frames = calltree_same_frames(l, o->branch_history);
	return rq;
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
	};
	return j->opts->json ? tables_print_json(&print, j->inv->out)
			     : tables_print_text(&print, j->inv->out);
}

int report_show(struct report_job *j)
{
	int r = 0;

	if (j->opts->profile.blocks && !j->opts->json)
		report_show_blocks(j);
	else
		r = sum_up_and_print(j);
	if (r < 0 || j->opts->json)
		return r;
	if (!j->opts->verbosity.quiet)
		report_tip_print(session_counts(j->profile.session)->samples,
				 command_columns(j->inv, j->inv->out), j->inv->out);
	if (j->profile.mode == REPORT_BRANCH)
		report_show_branch_stats(j);
	return 0;
}
