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

const char *report_refused_by(const struct report_opts *o, enum report_show_form form)
{
	const struct report_request *plan = &o->profile.plan;
	const struct {
		const char *name;
		bool is_set;
		unsigned forms; /* those that the option is not for */
	} options[] = {
		{ "--stdio", o->stdio, REPORT_BROWSER },
		{ "--stdio-color", o->colour != COLOUR_AUTO, REPORT_BROWSER },
		{ "--json", o->json, REPORT_BROWSER | REPORT_PICTURE },
		{ "--html", o->html, REPORT_BROWSER },
		{ "--flamegraph", o->flamegraph, REPORT_BROWSER },
		{ "--sort", plan->sort, REPORT_PICTURE },
		{ "--fields", plan->fields, REPORT_PICTURE },
		{ "--hierarchy", plan->hierarchy, REPORT_PICTURE },
		{ "--field-separator", o->form.separator, REPORT_BROWSER | REPORT_PICTURE },
		{ "--column-widths", o->form.widths, REPORT_PICTURE },
		{ "--show-nr-samples", plan->nr_samples, REPORT_PICTURE },
		{ "--show-total-period", plan->total_period, REPORT_PICTURE },
		{ "--show-cpu-utilization", plan->cpu_utilization, REPORT_PICTURE },
		{ "--percentage", o->percentage == PERCENTAGE_RELATIVE, REPORT_PICTURE },
		{ "--percent-limit", o->calltree.layout.row_limit > 0, REPORT_PICTURE },
		{ "-g", o->calltree.layout.asked, REPORT_PICTURE },
		{ "--branch-stack", o->branch_stack == CHOICE_YES, REPORT_PICTURE },
		{ "--branch-history", o->branch_history, REPORT_PICTURE },
		{ "--total-cycles", o->profile.blocks, REPORT_PICTURE },
		{ "--mem-mode", o->profile.mode.memory, REPORT_PICTURE },
		{ "--threads", o->thread_counts, REPORT_BROWSER | REPORT_PICTURE },
		{ "--tasks", o->tasks, REPORT_BROWSER | REPORT_PICTURE },
		{ "--mmaps", o->mmaps, REPORT_BROWSER | REPORT_PICTURE },
		{ "--stats", o->stats, REPORT_BROWSER | REPORT_PICTURE },
		{ "--header", o->input.header, REPORT_BROWSER | REPORT_PICTURE },
		{ "--header-only", o->input.header_only, REPORT_BROWSER | REPORT_PICTURE },
		{ "--dump-raw-trace", o->input.dump_raw, REPORT_BROWSER | REPORT_PICTURE },
		{ "--total-cycles", o->profile.blocks, REPORT_BROWSER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].is_set && options[i].forms & form)
			return options[i].name;
	return NULL;
}

int report_picture_check(const struct report_opts *o, struct diag *diag)
{
	const char *text = report_refused_by(o, REPORT_PICTURE);

	if (!o->html && !o->flamegraph)
		return 0;
	if (o->html && o->flamegraph)
		return diag_set(diag, -EINVAL,
				"the page of --html has a flame graph: leave out --flamegraph");
	if (!text)
		return 0;
	return diag_set(diag, -EINVAL, "%s: %s is for text",
			o->html ? "--html is a page with everything on it"
				: "--flamegraph is a picture",
			text);
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
