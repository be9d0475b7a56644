/* SPDX-License-Identifier: MIT */
/* Translates the options to the request for a live profile. */
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "options/calltree-view.h"
#include "tools/top/opts.h"
#include "wire/abi.h"

/*
 * The size of the raw records that are kept for saving: about a minute of 4000 samples a second on
 * two CPUs.
 */
#define KEPT_BYTES ((uint64_t)64 << 20)

static bool top_request_has_stacks(const struct top_opts *o)
{
	return o->stacks.record.mode != CALLGRAPH_NONE || o->branch_history;
}

static bool top_request_callers_first(const struct top_opts *o)
{
	return calltree_callers_first(&o->stacks.layout, o->children);
}

static const char *top_request_sort_of(const struct top_opts *o)
{
	if (o->sort || (o->fields && o->fields[0] != '+'))
		return o->sort;
	return o->branch_history ? "srcline,symbol,dso" : "dso,symbol";
}

static struct profile_request profile_of(const struct top_opts *o, const char *buildid_dir)
{
	const struct calltree_layout *l = &o->stacks.layout;

	return (struct profile_request){
		.force = o->force,
		.symbols = o->symbols,
		.buildid_dir = buildid_dir,
		.ignore_vmlinux = o->ignore_vmlinux,
		.verbose = o->verbose,
		.filter = o->filter,
		.ignore_callees = o->ignore_callees,
		.mode = { .no_branches = o->branch_history },
		.plan = {
			.sort = top_request_sort_of(o),
			.fields = o->fields,
			.children = top_request_has_stacks(o) && o->children != CHOICE_NO,
			.hierarchy = o->hierarchy,
			.nr_samples = o->show_nr_samples,
			.total_period = o->show_total_period,
			.plain_functions = true,
		},
		.with_stacks = top_request_has_stacks(o) && l->print != CALLTREE_PRINT_NONE,
		.callers_first = top_request_callers_first(o),
		.max_stack = o->max_stack,
		.by_address = l->key != CALLTREE_KEY_FUNCTION || o->branch_history,
		.history = o->branch_history || l->branch,
		.history_notes = o->branch_history,
		.time_quantum_ns = 100 * 1000 * 1000,
		.raw_trace = o->raw_trace,
	};
}

static struct report_tables_request top_request_tables_of(const struct top_opts *o)
{
	const struct calltree_layout *l = &o->stacks.layout;

	return (struct report_tables_request){
		.group = o->group,
		.group_sort_idx = o->group_sort_idx,
		.symbol_part = o->symbol_filter,
		.percent_limit = o->percent_limit,
		.absolute = o->percentage != PERCENTAGE_RELATIVE,
		.with_trees = top_request_has_stacks(o) && l->print != CALLTREE_PRINT_NONE,
		.callers_first = top_request_callers_first(o),
		.same_frames = calltree_same_frames(l, o->branch_history),
	};
}

struct report_tree_options top_tree_of(const struct top_opts *o)
{
	struct report_tree_options t = calltree_view(
		&o->stacks.layout, &(struct calltree_use){
					   .sort = o->sort,
					   .callers_first = top_request_callers_first(o),
					   .branch_history = o->branch_history,
					   .of_shown = o->percentage == PERCENTAGE_RELATIVE,
				   });

	t.form.widths = o->widths;
	return t;
}

/* True if the list of keys @list contains @key. */
static bool top_request_names(const char *list, const char *key)
{
	return list && strstr(list, key);
}

struct top_request top_request_of(const struct top_opts *o, const char *buildid_dir)
{
	struct top_request rq = {
		.what = o->rq,
		.browse = { .profile = profile_of(o, buildid_dir),
			    .tables = top_request_tables_of(o) },
		.hidden = o->hidden,
		.delay_ms = o->delay_ms,
		.zeroes = o->zero,
		.kept_bytes = KEPT_BYTES,
	};

	rq.what.buildid_dir = buildid_dir;
	rq.what.verbose = o->verbose;
	rq.what.sampling.callgraph.choice = o->stacks.record;
	if (o->branch_history && !rq.what.sampling.branch_filter)
		rq.what.sampling.branch_filter = PERF_SAMPLE_BRANCH_ANY;
	rq.what.sampling.sample.cpu |= top_request_names(o->sort, "cpu") ||
				       top_request_names(o->sort, "socket") ||
				       top_request_names(o->fields, "cpu") ||
				       top_request_names(o->fields, "socket");
	return rq;
}

static void top_request_add_ids(struct text *t, const char *what, const struct id_list *ids)
{
	text_addf(t, "%s: ", what);
	for (size_t i = 0; i < ids->n; i++)
		text_addf(t, "%s%d", i ? "," : "", ids->items[i]);
}

static void top_request_add_cpus(struct text *t, const struct target *target)
{
	long n = target->cpus.n ? (long)target->cpus.n : sysconf(_SC_NPROCESSORS_ONLN);

	if (target->cpus.n)
		text_addf(t, ", CPU%s: %s", n > 1 ? "s" : "", target->cpus_text);
	else
		text_addf(t, ", %ld CPU%s", n, n > 1 ? "s" : "");
}

char *top_target_text(const struct top_opts *o)
{
	const struct target *target = &o->rq.target;
	struct text t = TEXT_EMPTY;
	const struct passwd *user;

	if (target->pids.n) {
		top_request_add_ids(&t, "target_pid", &target->pids);
	} else if (target->tids.n) {
		top_request_add_ids(&t, "target_tid", &target->tids);
	} else if (target->user.given) {
		user = getpwuid(target->user.uid);
		if (user)
			text_addf(&t, "uid: %s", user->pw_name);
		else
			text_addf(&t, "uid: %u", (unsigned)target->user.uid);
	} else {
		text_add(&t, "all");
		top_request_add_cpus(&t, target);
	}
	return text_take(&t);
}

struct annotate_request top_annotate_of(const struct top_opts *o, const struct top_request *rq)
{
	struct annotate_request a = o->annotate;

	a.symbols = o->symbols;
	a.ignore_vmlinux = o->ignore_vmlinux;
	a.buildid_dir = rq->browse.profile.buildid_dir;
	/* A key in the browser shows source. */
	a.source = CHOICE_YES;
	return a;
}
