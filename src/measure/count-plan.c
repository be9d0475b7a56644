/* SPDX-License-Identifier: MIT */
#include "measure/count-plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/text.h"
#include "event/env.h"
#include "event/event-set.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "kernel/machine-fact.h"
#include "kernel/pmu.h"
#include "measure/bpf-events.h"
#include "measure/count.h"
#include "probe/attach.h"

/* A request of -M. */
struct metric_request {
	const struct count_request *rq;
	bool cpus; /* whole CPUs are counted, not tasks */
};

/* Gives the value of a literal about the machine in a formula. */
static bool find_literal(void *arg, const char *name, double *ret)
{
	const struct metric_request *m = arg;
	uint64_t value, smt = 0;
	enum machine_fact fact = machine_fact_find(name);

	if (!strcmp(name, "core_wide")) {
		(void)machine_fact_read("", MACHINE_SMT_ON, &smt);
		*ret = !smt || (m->cpus && !m->rq->target.cpus.n);
		return true;
	}
	if (fact == MACHINE_FACTS || machine_fact_read("", fact, &value) < 0)
		return false;
	*ret = (double)value;
	return true;
}

/* Moves the counter of slots to the front: the kernel requires it to lead those that share it. */
static void lead_with_slots(struct text *names)
{
	static const char slots[] = ",slots";
	char *at = strstr(names->chars, slots);
	size_t n = strlen(slots);

	if (!at || (at[n] && at[n] != ','))
		return;
	memmove(names->chars + n, names->chars, (size_t)(at - names->chars));
	memcpy(names->chars, "slots,", n);
}

/*
 * Adds the events of @n metrics, as a group that may be broken up if it does not fit the counters.
 * Events that were added before an error stay.
 */
static int add_metrics_together(struct count_plan *p, const struct metric *const *metrics, size_t n,
				const struct metric_request *m, struct diag *diag)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY, t = TEXT_EMPTY;
	size_t first = p->events.n, first_metric = p->metrics.n;
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++) {
		struct metric_expr *expr;

		r = metric_compile(metrics[i], &expr, diag);
		if (r < 0)
			return r;
		*ARRAY_ADD(&p->metrics) = (struct count_metric){ metrics[i], expr, first, 0 };
		metric_expr_settle(expr, find_literal, (void *)m);
		metric_expr_events(expr, &names);
	}
	lead_with_slots(&names);
	text_addf(&t, m->rq->metric_no_group ? "%s" : "{%s}:W", names.chars);
	r = event_list_parse(&p->events, t.chars, p->env, EVENT_USE_COUNTING, diag);
	for (size_t i = first_metric; i < p->metrics.n; i++)
		p->metrics.items[i].n = p->events.n - first;
	return r;
}

/*
 * True for metrics that are counted at the same time: those that a vendor has put into one group
 * add up to a whole. Each of the others has a group of events of its own.
 */
static bool count_together(const struct metric_list *chosen, const char *word,
			   const struct count_request *rq)
{
	for (size_t i = 0; i < chosen->n; i++)
		if (!chosen->items[i]->table || !metric_in_group(chosen->items[i], word))
			return false;
	return !rq->metric_no_merge;
}

static bool has_cores(struct event_env *env)
{
	size_t at = 0;

	return pmu_list_next_core(event_env_pmus(env), &at) != NULL;
}

/* True for the vendors' names of such metrics, also on machines where these are not known. */
static bool is_of_vendor(const char *word)
{
	return !strncasecmp(word, "topdown", 7) || !strncasecmp(word, "tma_", 4) ||
	       !strncasecmp(word, "pipeline", 8);
}

static int add_metric_word(struct count_plan *p, const struct metric_list *all, const char *word,
			   const struct metric_request *m, struct diag *diag)
{
	_cleanup_(metric_list_done) struct metric_list chosen = { 0 };
	int r = 0;

	for (size_t i = 0; i < all->n; i++)
		if (metric_selected(all->items[i], word))
			*ARRAY_ADD(&chosen) = all->items[i];
	if (chosen.n && count_together(&chosen, word, m->rq))
		return add_metrics_together(p, chosen.items, chosen.n, m, diag);
	for (size_t i = 0; i < chosen.n && r >= 0; i++)
		r = add_metrics_together(p, &chosen.items[i], 1, m, diag);
	if (chosen.n)
		return r;
	diag_set(diag, -ENOENT, "Cannot find metric or group `%s'", word);
	diag_hint(diag, "Run 'perf list metric' for the metrics there are.%s",
		  is_of_vendor(word) && !has_cores(p->env)
			  ? " Those of CPU vendors need hardware counters, and this machine "
			    "shows none."
			  : "");
	return -ENOENT;
}

static int count_plan_add_metrics(struct count_plan *p, const struct metric_request *m,
				  struct diag *diag)
{
	_cleanup_(metric_list_done) struct metric_list all = { 0 };
	const struct count_request *rq = m->rq;
	int r = 0;

	if (event_words_have(&rq->events, EVENT_WORD_METRIC))
		metric_list_make(&all, p->env);

	for (size_t i = 0; i < rq->events.n && r >= 0; i++) {
		if (rq->events.items[i].kind != EVENT_WORD_METRIC)
			continue;

		_cleanup_(freep) char *words = xstrdup(rq->events.items[i].text);
		char *rest = words;

		for (char *word; r >= 0 && (word = strsep(&rest, ","));)
			r = add_metric_word(p, &all, word, m, diag);
	}
	return r;
}

/* Makes all events one group (-g), whatever braces there are. */
static void count_plan_join_all(struct event_list *l, size_t first)
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

static bool count_plan_has_events(const struct count_request *rq)
{
	return event_words_have(&rq->events, EVENT_WORD_EVENT) ||
	       event_words_have(&rq->events, EVENT_WORD_PFM) ||
	       event_words_have(&rq->events, EVENT_WORD_METRIC);
}

/* Adds modifiers to the names of unnamed events that do not count the host. */
static void name_worlds(struct event_list *l, size_t first, enum event_worlds worlds)
{
	for (size_t i = first; i < l->n && worlds != EVENT_HOST; i++) {
		_cleanup_(freep) char *name = l->items[i]->name;

		l->items[i]->name = xasprintf("%s:%s", name, worlds == EVENT_GUESTS ? "G" : "HG");
	}
}

/* Adds all events once; again for each cgroup of --for-each-cgroup. */
static int count_plan_add_events(struct count_plan *p, const struct count_request *rq, bool cpus,
				 size_t *before, struct diag *diag)
{
	size_t first = p->events.n, unnamed;
	int r = event_words_resolve(&rq->events, p->env, EVENT_USE_COUNTING, &p->events, before,
				    diag);

	if (r >= 0)
		r = count_plan_add_metrics(p, &(struct metric_request){ rq, cpus }, diag);
	unnamed = p->events.n;
	if (r >= 0 && rq->transaction)
		r = event_set_transaction(&p->events, p->env, diag);
	else if (r >= 0 && rq->topdown)
		r = event_set_topdown(&p->events, p->env, diag);
	else if (r >= 0 && rq->smi_cost)
		r = event_set_smi_cost(&p->events, p->env, diag);
	else if (r >= 0 && !count_plan_has_events(rq) && !rq->null_run)
		r = event_set_default(&p->events, p->env, cpus, diag);
	if (r >= 0 && !rq->null_run)
		r = event_set_detailed(&p->events, p->env, rq->detailed, diag);
	name_worlds(&p->events, unnamed, rq->events.worlds);
	if (rq->group)
		count_plan_join_all(&p->events, first);
	for (size_t i = first; i < p->events.n; i++)
		limit_modes(rq, p->events.items[i]);
	return r;
}

/* The events and tasks, while they are repeated for one cgroup after the other. */
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
		r = count_plan_add_events(p, again->rq, again->cpus, again->before, diag);
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

/*
 * Adds events for names, or regular expressions; a dot alone makes no expression, because names
 * contain dots.
 */
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

/* Selects the cores: --cputype atom is the PMU cpu_atom. */
static int choose_cores(struct count_plan *p, const struct count_request *rq, struct diag *diag)
{
	_cleanup_(freep) char *pmu = rq->cputype ? xasprintf("cpu_%s", rq->cputype) : NULL;

	if (rq->pmu_filter)
		event_env_limit_units(p->env, rq->pmu_filter);
	if (!pmu || event_env_limit_cores(p->env, pmu, diag) >= 0)
		return 0;
	diag_hint(diag, "--cputype chooses among the kinds of cores of a hybrid machine.");
	return -ENOENT;
}

static void count_plan_listen_to_programs(struct count_plan *p, const struct count_request *rq,
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

/*
 * Rejects drm events with cgroups: a GPU is used by processes, and a driver's values cannot be
 * split by cgroup.
 */
static int refuse_drm_of_cgroups(const struct count_plan *p, struct diag *diag)
{
	for (size_t i = 0; i < p->events.n; i++)
		if (p->events.items[i]->tool == EVENT_TOOL_DRM && p->cgroups.of[i] >= 0)
			return diag_set(diag, -EOPNOTSUPP,
					"'%s' cannot be counted for a cgroup: drivers tell what "
					"processes use, for -p or -a",
					p->events.items[i]->name);
	return 0;
}

int count_plan_make(struct count_plan *p, const struct count_request *rq, bool cpus,
		    struct notes *notes, struct diag *diag)
{
	_cleanup_(freep) size_t *before = xcalloc(rq->events.n + 1, sizeof(*before));
	int r;

	*p = (struct count_plan){ .env = event_env_new(NULL, NULL) };
	event_env_set_worlds(p->env, rq->events.worlds);
	count_plan_listen_to_programs(p, rq, notes);
	r = choose_cores(p, rq, diag);
	if (r >= 0)
		r = event_words_attach(&rq->events, rq->buildid_dir, p->env, &p->attached, diag);
	if (r < 0)
		return r;
	if (rq->for_each_cgroup) {
		r = add_for_each_cgroup(p, &(struct repetition){ rq, cpus, before }, diag);
		return r < 0 ? r : refuse_drm_of_cgroups(p, diag);
	}
	r = count_plan_add_events(p, rq, cpus, before, diag);
	if (r >= 0)
		r = bpf_events_complete(p->programs, &p->events, p->env, diag);
	if (r < 0)
		return r;
	r = cgroup_choice_assign(&p->cgroups, &rq->events, before, p->events.n, diag);
	return r < 0 ? r : refuse_drm_of_cgroups(p, diag);
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
