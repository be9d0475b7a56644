/* SPDX-License-Identifier: MIT */
#include "job/count-plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/text.h"
#include "event/env.h"
#include "event/event-set.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "job/bpf-events.h"
#include "job/count.h"
#include "probe/attach.h"

/* The events of one metric, as a group that may be broken up if it does not fit the counters. */
static int add_metric(struct count_plan *p, const struct metric *m, bool group, struct diag *diag)
{
	_cleanup_(metric_expr_freep) struct metric_expr *expr = NULL;
	_cleanup_(text_done) struct text names = TEXT_EMPTY, t = TEXT_EMPTY;
	size_t first = p->events.n;
	int r = metric_compile(m, &expr, diag);

	if (r < 0)
		return r;
	metric_expr_events(expr, &names);
	text_addf(&t, group ? "{%s}:W" : "%s", names.chars);
	r = event_list_parse(&p->events, t.chars, p->env, EVENT_USE_COUNTING, diag);
	if (r < 0)
		return r;

	struct count_metric *use = ARRAY_ADD(&p->metrics);

	*use = (struct count_metric){ m, TAKE(expr), first, p->events.n - first };
	return 0;
}

static int add_metric_word(struct count_plan *p, const char *word, bool group, struct diag *diag)
{
	size_t n, found = 0;
	const struct metric *all = metrics(&n);
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++) {
		if (!metric_selected(&all[i], word))
			continue;
		r = add_metric(p, &all[i], group, diag);
		found++;
	}
	if (r < 0 || found)
		return r;
	diag_set(diag, -ENOENT, "Cannot find metric or group `%s'", word);
	diag_hint(diag, "Run 'perf list metric' for the metrics there are.");
	return -ENOENT;
}

static int add_metrics(struct count_plan *p, const struct count_request *rq, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < rq->events.n && r >= 0; i++) {
		if (rq->events.items[i].kind != EVENT_WORD_METRIC)
			continue;

		_cleanup_(freep) char *words = xstrdup(rq->events.items[i].text);
		char *rest = words;

		for (char *word; r >= 0 && (word = strsep(&rest, ","));)
			r = add_metric_word(p, word, !rq->metric_no_group, diag);
	}
	return r;
}

/* -g: all events are one group, whatever braces said. */
static void join_all(struct event_list *l, size_t first)
{
	for (size_t i = first; i < l->n; i++)
		l->items[i]->leader = first;
}

static void limit_modes(const struct count_request *rq, struct event *e)
{
	if (rq->all_user) {
		e->attr.exclude_kernel = 1;
		e->attr.exclude_user = 0;
	}
	if (rq->all_kernel) {
		e->attr.exclude_kernel = 0;
		e->attr.exclude_user = 1;
	}
}

static bool has_events(const struct count_request *rq)
{
	return event_words_have(&rq->events, EVENT_WORD_EVENT) ||
	       event_words_have(&rq->events, EVENT_WORD_PFM) ||
	       event_words_have(&rq->events, EVENT_WORD_METRIC);
}

/* Events that nobody has named say whom they count, if that is not the host. */
static void name_worlds(struct event_list *l, size_t first, enum event_worlds worlds)
{
	for (size_t i = first; i < l->n && worlds != EVENT_HOST; i++) {
		_cleanup_(freep) char *name = l->items[i]->name;

		l->items[i]->name = xasprintf("%s:%s", name, worlds == EVENT_GUESTS ? "G" : "HG");
	}
}

/* Everything once; again for each cgroup of --for-each-cgroup. */
static int add_events(struct count_plan *p, const struct count_request *rq, bool cpus,
		      size_t *before, struct diag *diag)
{
	size_t first = p->events.n, unnamed;
	int r = event_words_resolve(&rq->events, p->env, EVENT_USE_COUNTING, &p->events, before,
				    diag);

	if (r >= 0)
		r = add_metrics(p, rq, diag);
	unnamed = p->events.n;
	if (r >= 0 && rq->transaction)
		r = event_set_transaction(&p->events, p->env, diag);
	else if (r >= 0 && rq->topdown)
		r = event_set_topdown(&p->events, p->env, diag);
	else if (r >= 0 && rq->smi_cost)
		r = event_set_smi_cost(&p->events, p->env, diag);
	else if (r >= 0 && !has_events(rq) && !rq->null_run)
		r = event_set_default(&p->events, p->env, cpus, diag);
	if (r >= 0 && !rq->null_run)
		r = event_set_detailed(&p->events, p->env, rq->detailed, diag);
	name_worlds(&p->events, unnamed, rq->events.worlds);
	if (rq->group)
		join_all(&p->events, first);
	for (size_t i = first; i < p->events.n; i++)
		limit_modes(rq, p->events.items[i]);
	return r;
}

/* What was asked for, and for whom, while it is repeated for one cgroup after the other. */
struct repetition {
	const struct count_request *rq;
	bool cpus;
	size_t *before;
};

static int add_for_cgroup(struct count_plan *p, const struct repetition *again, const char *name,
			  struct diag *diag)
{
	size_t first = p->events.n;
	int cgroup;
	int r = cgroup_choice_find(&p->cgroups, name, &cgroup, diag);

	if (r >= 0)
		r = add_events(p, again->rq, again->cpus, again->before, diag);
	cgroup_choice_limit(&p->cgroups, first, p->events.n - first, r < 0 ? -1 : cgroup);
	return r;
}

static int add_for_pattern(struct count_plan *p, const struct repetition *again,
			   const char *pattern, struct diag *diag)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = cgroup_match(NULL, pattern, &names, diag);

	for (size_t i = 0; i < names.n && r >= 0; i++)
		r = add_for_cgroup(p, again, names.items[i], diag);
	return r;
}

/* Names, or regular expressions; a dot alone makes no expression, as names have dots. */
static int add_for_each_cgroup(struct count_plan *p, const struct repetition *again,
			       struct diag *diag)
{
	_cleanup_(freep) char *names = xstrdup(again->rq->for_each_cgroup);
	char *rest = names;
	int r = 0;

	for (char *name; r >= 0 && (name = strsep(&rest, ","));)
		r = strpbrk(name, "^$*+?[](){}|\\") ? add_for_pattern(p, again, name, diag)
						    : add_for_cgroup(p, again, name, diag);
	return r;
}

/* --cputype atom is the PMU cpu_atom. */
static int choose_cores(struct count_plan *p, const struct count_request *rq, struct diag *diag)
{
	_cleanup_(freep) char *pmu = rq->cputype ? xasprintf("cpu_%s", rq->cputype) : NULL;

	if (!pmu || event_env_limit_cores(p->env, pmu, diag) >= 0)
		return 0;
	diag_hint(diag, "--cputype chooses among the kinds of cores of a hybrid machine.");
	return -ENOENT;
}

static void listen_to_programs(struct count_plan *p, const struct count_request *rq,
			       struct notes *notes)
{
	const struct bpf_events_options o = {
		.sources = &rq->bpf_sources,
		.buildid_dir = rq->buildid_dir,
		.counts = true,
		.verbose = rq->verbose,
		.notes = notes,
	};

	p->programs = bpf_events_new(&o);
	bpf_events_listen(p->programs, p->env);
}

int count_plan_make(struct count_plan *p, const struct count_request *rq, bool cpus,
		    struct notes *notes, struct diag *diag)
{
	_cleanup_(freep) size_t *before = xcalloc(rq->events.n + 1, sizeof(*before));
	int r;

	*p = (struct count_plan){ .env = event_env_new(NULL, NULL) };
	event_env_set_worlds(p->env, rq->events.worlds);
	listen_to_programs(p, rq, notes);
	r = choose_cores(p, rq, diag);
	if (r >= 0)
		r = event_words_attach(&rq->events, rq->buildid_dir, p->env, &p->attached, diag);
	if (r < 0)
		return r;
	if (rq->for_each_cgroup)
		return add_for_each_cgroup(p, &(struct repetition){ rq, cpus, before }, diag);
	r = add_events(p, rq, cpus, before, diag);
	if (r >= 0)
		r = bpf_events_complete(p->programs, &p->events, p->env, diag);
	if (r < 0)
		return r;
	return cgroup_choice_assign(&p->cgroups, &rq->events, before, p->events.n, diag);
}

void count_plan_done(struct count_plan *p)
{
	for (size_t i = 0; i < p->metrics.n; i++)
		metric_expr_free(p->metrics.items[i].expr);
	cgroup_choice_done(&p->cgroups);
	free(p->metrics.items);
	event_list_done(&p->events);
	attached_probes_free(p->attached);
	bpf_events_free(p->programs);
	event_env_free(p->env);
	*p = (struct count_plan){ 0 };
}
