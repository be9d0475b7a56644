/* SPDX-License-Identifier: MIT */
/* Translates the options to the request for a profile. */
#include <string.h>

#include "cli/command.h"
#include "options/calltree-view.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"

#define HISTORY_SORT "srcline,symbol,dso"

bool report_callers_first(const struct report_opts *o)
{
	return calltree_callers_first(&o->calltree.layout, o->calltree.children);
}

static bool wants_history(const struct report_opts *o)
{
	return o->branch_history || o->calltree.layout.branch;
}

static void settle_plan(const struct report_opts *o, struct report_request *plan)
{
	/* The log contains tasks, CPUs and times. */
	if (o->html)
		plan->sort = "dso,symbol";
	else if (!plan->sort && o->branch_history)
		plan->sort = HISTORY_SORT;
	plan->latency = o->latency ? LATENCY_FIRST : o->html ? LATENCY_NONE : LATENCY_AUTO;
	plan->children = o->calltree.children != CHOICE_NO;
	plan->parent = o->profile.parent;
}

struct profile_request report_profile_request(const struct report_opts *o)
{
	const struct calltree_layout *l = &o->calltree.layout;
	bool trees = l->print != CALLTREE_PRINT_NONE;
	struct profile_request rq = o->profile;

	rq.path = input_path(o->input.path);
	rq.force = o->input.force;
	/* Counting does not depend on the order. */
	rq.in_file_order = o->stats || (o->input.dump_raw && o->disable_order);
	rq.verbose = o->verbosity.verbose;
	rq.of_socket = rq.socket >= 0;
	rq.ignore_callees = o->calltree.ignore_callees;
	rq.mode.branches = o->branch_stack == CHOICE_YES || rq.blocks;
	rq.mode.no_branches = o->branch_stack == CHOICE_NO || o->branch_history || o->html;
	settle_plan(o, &rq.plan);
	rq.with_stacks = trees || o->html;
	rq.with_log = o->html;
	rq.requires_stacks = trees && l->asked;
	rq.callers_first = report_callers_first(o);
	rq.max_stack = o->calltree.max_stack;
	rq.by_address = l->key != FRAMES_BY_FUNCTION || o->branch_history;
	rq.history = wants_history(o);
	rq.history_notes = o->branch_history;
	return rq;
}
