/* SPDX-License-Identifier: MIT */
/* Translates the options to the request for a live profile. */
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "options/callgraph.h"
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

static const char *top_request_sort_of(const struct top_opts *o, const struct report_request *plan)
{
	if (plan->sort || (plan->fields && plan->fields[0] != '+'))
		return plan->sort;
	return o->branch_history ? "srcline,symbol,dso" : "dso,symbol";
}

static void settle_profile(const struct top_opts *o, struct profile_request *rq)
{
	const struct calltree_layout *l = &o->stacks.layout;

	rq->mode.no_branches = o->branch_history;
	rq->plan.sort = top_request_sort_of(o, &rq->plan);
	rq->plan.children = top_request_has_stacks(o) && o->children != CHOICE_NO;
	rq->plan.plain_functions = true;
	rq->with_stacks = top_request_has_stacks(o) && l->print != CALLTREE_PRINT_NONE;
	rq->callers_first = calltree_callers_first(l, o->children);
	rq->by_address = l->key != FRAMES_BY_FUNCTION || o->branch_history;
	rq->history = o->branch_history || l->branch;
	rq->history_notes = o->branch_history;
}

static void settle_tables(const struct top_opts *o, const struct profile_request *profile,
			  struct report_tables_request *rq)
{
	rq->rows.absolute = o->percentage != PERCENTAGE_RELATIVE;
	rq->rows.with_trees = profile->with_stacks;
	rq->rows.callers_first = profile->callers_first;
	rq->same_frames = calltree_same_frames(&o->stacks.layout, o->branch_history);
}

struct report_tree_options top_tree_of(const struct top_opts *o)
{
	struct report_tree_options t =
		calltree_view(&o->stacks.layout, o->rq.browse.profile.plan.sort, o->branch_history);

	t.form = o->form;
	return t;
}

/* True if the list of keys @list contains @key. */
static bool top_request_names(const char *list, const char *key)
{
	return list && strstr(list, key);
}

struct top_request top_request_of(const struct top_opts *o, const char *buildid_dir)
{
	struct top_request rq = o->rq;
	struct profile_request *profile = &rq.browse.profile;
	const struct report_request *typed = &o->rq.browse.profile.plan;

	profile->buildid_dir = rq.what.buildid_dir = buildid_dir;
	settle_profile(o, profile);
	settle_tables(o, profile, &rq.browse.tables);
	rq.kept_bytes = KEPT_BYTES;
	rq.what.verbose = profile->verbose;
	rq.what.sampling.callgraph.choice = o->stacks.record;
	callgraph_settle(&rq.what.sampling.callgraph);
	rq.what.sampling.callgraph.choice.defer = false;
	if (o->branch_history && !rq.what.sampling.branch_filter)
		rq.what.sampling.branch_filter = PERF_SAMPLE_BRANCH_ANY;
	rq.what.sampling.sample.cpu |= top_request_names(typed->sort, "cpu") ||
				       top_request_names(typed->sort, "socket") ||
				       top_request_names(typed->fields, "cpu") ||
				       top_request_names(typed->fields, "socket");
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
	const struct target *target = &o->rq.what.target;
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

	a.symbols = rq->browse.profile.symbols;
	a.ignore_vmlinux = rq->browse.profile.ignore_vmlinux;
	a.buildid_dir = rq->browse.profile.buildid_dir;
	/* A key in the browser shows source. */
	a.source = CHOICE_YES;
	return a;
}
