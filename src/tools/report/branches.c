/* SPDX-License-Identifier: MIT */
/* The parts of a branch report that have no rows: basic blocks, and the kinds of branches. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "session/session.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"
#include "view/report/branches.h"
#include "view/report/title.h"

static void show_blocks_of(const struct report_job *j, const struct session_event *e,
			   const struct tally *t)
{
	const struct report_opts *o = j->opts;
	const char *name = e->name;
	const struct report_title title = {
		.events = &name,
		.n_events = 1,
		.samples = t->total.samples,
		.period = t->total.period,
		.time_slices = o->profile.filter.time.text,
		.socket = o->profile.socket,
	};
	const struct branch_blocks_view view = {
		.blocks = &t->blocks,
		.percent_limit = o->calltree.layout.row_limit,
		.quiet = o->verbosity.quiet,
		.full_paths = o->profile.symbols.full_source_path,
		.escape = terminal_is(j->inv->settings->out),
	};

	if (!o->verbosity.quiet)
		report_title_print(&title, j->inv->out);
	branch_blocks_print(&view, j->inv->out);
}

void report_show_blocks(const struct report_job *j)
{
	const struct report_head head = {
		.quiet = j->opts->verbosity.quiet,
		.lost_samples = session_counts(j->profile.session)->lost_samples,
	};

	report_head_print(&head, j->inv->out);
	for (size_t i = 0; i < session_event_count(j->profile.session); i++) {
		const struct tally *t = collector_tally(j->profile.collector, i);

		if (t->total.samples || j->opts->skip_empty == CHOICE_NO)
			show_blocks_of(j, session_event(j->profile.session, i), t);
	}
}

void report_show_branch_stats(const struct report_job *j)
{
	struct branch_stats all = { 0 };

	for (size_t i = 0; i < session_event_count(j->profile.session); i++)
		branch_stats_merge(&all, &collector_tally(j->profile.collector, i)->branches);
	branch_stats_print(&all, j->inv->out);
}
