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

static const char *report_request_sort_of(const struct report_opts *o)
{
	/* The log contains tasks, CPUs and times. */
	if (o->html)
		return "dso,symbol";
	return !o->sort && o->branch_history ? HISTORY_SORT : o->sort;
}

static struct report_request plan_of(const struct report_opts *o)
{
	return (struct report_request){
		.sort = report_request_sort_of(o),
		.fields = o->fields,
		.memory_fields = o->breakdown,
		.latency = o->latency ? LATENCY_FIRST
			   : o->html  ? LATENCY_NONE
				      : LATENCY_AUTO,
		.children = o->calltree.children != CHOICE_NO,
		.hierarchy = o->hierarchy,
		.parent = o->parent,
		.nr_samples = o->show_nr_samples,
		.total_period = o->show_total_period,
		.cpu_utilization = o->show_cpu_utilization,
	};
}

struct profile_request report_profile_request(const struct report_opts *o)
{
	const struct calltree_layout *l = &o->calltree.layout;
	bool trees = l->print != CALLTREE_PRINT_NONE;

	return (struct profile_request){
		.path = input_path(o->input.path),
		.force = o->input.force,
		/* Counting does not depend on the order. */
		.in_file_order = o->stats || (o->input.dump_raw && o->disable_order),
		.symbols = o->symbols,
		.ignore_vmlinux = o->ignore_vmlinux,
		.verbose = o->verbosity.verbose,
		.filter = o->filter,
		.of_socket = o->socket >= 0,
		.socket = o->socket,
		.hide_unresolved = o->hide_unresolved,
		.parent = o->parent,
		.exclude_other = o->exclude_other,
		.ignore_callees = o->calltree.ignore_callees,
		.mode = {
			.memory = o->mem_mode,
			.branches = o->branch_stack == CHOICE_YES || o->total_cycles,
			.no_branches = o->branch_stack == CHOICE_NO || o->branch_history || o->html,
		},
		.plan = plan_of(o),
		.with_stacks = trees || o->html,
		.with_log = o->html,
		.requires_stacks = trees && l->asked,
		.callers_first = report_callers_first(o),
		.wall = o->wall,
		.parallelism = o->parallelism,
		.max_stack = o->calltree.max_stack,
		.by_address = l->key != CALLTREE_KEY_FUNCTION || o->branch_history,
		.references = o->show_ref_call_graph,
		.history = wants_history(o),
		.history_notes = o->branch_history,
		.blocks = o->total_cycles,
		.time_quantum_ns = o->time_quantum_ns,
		.raw_trace = o->raw_trace,
	};
}
