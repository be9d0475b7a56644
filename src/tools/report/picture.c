/* SPDX-License-Identifier: MIT */
/*
 * perf report as a picture: checks the options, and runs --flamegraph, which is `perf flamegraph`
 * with the filters of report.
 */
#include <errno.h>

#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "options/flamegraph-draw.h"
#include "profile/flamegraph.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"

int report_picture_check(const struct report_opts *o, struct diag *diag)
{
	const struct calltree_opts *c = &o->calltree;
	const struct {
		const char *name;
		bool is_set;
	} others[] = {
		{ "--json", o->json },
		{ "--sort", o->profile.plan.sort },
		{ "--fields", o->profile.plan.fields },
		{ "--hierarchy", o->profile.plan.hierarchy },
		{ "--field-separator", o->form.separator },
		{ "--column-widths", o->form.widths },
		{ "--show-nr-samples", o->profile.plan.nr_samples },
		{ "--show-total-period", o->profile.plan.total_period },
		{ "--show-cpu-utilization", o->profile.plan.cpu_utilization },
		{ "--percentage", o->percentage == PERCENTAGE_RELATIVE },
		{ "--percent-limit", c->layout.row_limit > 0 },
		{ "-g", c->layout.asked },
		{ "--branch-stack", o->branch_stack == CHOICE_YES },
		{ "--branch-history", o->branch_history },
		{ "--total-cycles", o->profile.blocks },
		{ "--mem-mode", o->profile.mode.memory },
		{ "--threads", o->thread_counts },
		{ "--tasks", o->tasks },
		{ "--mmaps", o->mmaps },
		{ "--stats", o->stats },
		{ "--header", o->input.header },
		{ "--header-only", o->input.header_only },
		{ "--dump-raw-trace", o->input.dump_raw },
	};

	if (!o->html && !o->flamegraph)
		return 0;
	if (o->html && o->flamegraph)
		return diag_set(diag, -EINVAL,
				"the page of --html has a flame graph: leave out --flamegraph");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].is_set)
			return diag_set(diag, -EINVAL, "%s: %s is for text",
					o->html ? "--html is a page with everything on it"
						: "--flamegraph is a picture",
					others[i].name);
	return 0;
}

int report_flamegraph_run(struct invocation *inv)
{
	const struct report_opts *o = inv->opts;
	struct flamegraph_request rq = {
		.profile = report_profile_request(o),
		.part = o->tables.rows.symbol_part,
	};
	const struct flamegraph_look look = {
		.output = *o->flamegraph ? o->flamegraph : NULL,
		.quiet = o->verbosity.quiet,
	};

	/* The default depth of report's trees does not apply to a picture. */
	if (rq.profile.max_stack == PROFILE_MAX_STACK)
		rq.profile.max_stack = SIZE_MAX;
	return flamegraph_draw(inv, &rq, &look);
}
