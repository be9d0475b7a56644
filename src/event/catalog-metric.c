/* SPDX-License-Identifier: MIT */
/*
 * Gathers metrics whose events can all be counted here.
 *
 * Metrics describe processors: a plain list and a search show none if the kernel has no PMU for the
 * cores, as in Linux's perf; if requested by class they are shown all the same.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/catalog-gather.h"
#include "event/env.h"
#include "event/event.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "base/name-list.h"
#include "kernel/pmu.h"

struct check {
	const struct gathering *g;
	bool ok;
};

/* True if a PMU of the cores, or the vendor's table for it, has the event. */
static bool is_vendor_event(const struct gathering *g, const char *event)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag ignored = { 0 };

	return event_list_parse(&l, event, g->env, EVENT_USE_COUNTING, &ignored) >= 0 && l.n &&
	       l.items[0]->pmu;
}

static void catalog_metric_check_event(const char *event, void *arg)
{
	struct check *c = arg;

	c->ok = c->ok && (gather_can_count(c->g, event) || is_vendor_event(c->g, event));
}

static bool can_compute(const struct gathering *g, const struct metric *m)
{
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct check check = { g, true };

	if (metric_compile(m, &e, &ignored) < 0)
		return false;
	metric_expr_for_each_event(e, catalog_metric_check_event, &check);
	return check.ok;
}

static bool has_core_pmu(const struct gathering *g)
{
	size_t at = 0;

	return pmu_list_next_core(event_env_pmus(g->env), &at) != NULL;
}

static void catalog_metric_add(struct gathering *g, const struct metric *m, const char *group)
{
	struct catalog_entry *e = gather_add(g, CATALOG_METRIC, m->name);

	e->brief = m->brief;
	e->expression = m->expression;
	e->groups = m->groups;
	e->group = group;
	if (*m->unit)
		e->scale_unit = gather_keepf(g, "%g%s", m->scale, m->unit);
}

static int catalog_metric_by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds those groups of @m that are new. */
static void add_groups(struct name_list *l, const struct metric *m)
{
	_cleanup_(freep) char *groups = xstrdup(m->groups);
	char *rest = groups;

	for (char *group; (group = strsep(&rest, ";"));) {
		bool known = false;

		for (size_t i = 0; i < l->n && !known; i++)
			known = !strcmp(l->items[i], group);
		if (!known)
			name_list_add(l, group);
	}
}

struct chosen {
	const struct metric **items;
	size_t n, room;
};

static void add_by_group(struct gathering *g, const struct chosen *chosen)
{
	_cleanup_(name_list_done) struct name_list groups = { 0 };

	for (size_t i = 0; i < chosen->n; i++)
		add_groups(&groups, chosen->items[i]);
	if (groups.n)
		qsort(groups.items, groups.n, sizeof(groups.items[0]), catalog_metric_by_text);
	for (size_t i = 0; i < groups.n; i++) {
		const char *group = gather_keep(g, groups.items[i]);

		gather_add(g, CATALOG_METRIC_GROUP, group);
		if (!(g->catalog->kinds & 1u << CATALOG_METRIC))
			continue;
		for (size_t j = 0; j < chosen->n; j++)
			if (metric_in_group(chosen->items[j], group))
				catalog_metric_add(g, chosen->items[j], group);
	}
}

void gather_metrics(struct gathering *g)
{
	const char *selector = g->query->selector;
	struct chosen chosen = { 0 };
	_cleanup_(metric_list_done) struct metric_list all = { 0 };

	if (!(selector && catalog_is_class(selector)) && !has_core_pmu(g))
		return;
	metric_list_make(&all, g->env);
	for (size_t i = 0; i < all.n; i++)
		if ((gather_selects_any_case(g, all.items[i]->name) ||
		     gather_selects_any_case(g, all.items[i]->groups)) &&
		    can_compute(g, all.items[i]))
			*ARRAY_ADD(&chosen) = all.items[i];
	if (g->catalog->kinds & 1u << CATALOG_METRIC_GROUP)
		add_by_group(g, &chosen);
	else
		for (size_t i = 0; i < chosen.n; i++)
			catalog_metric_add(g, chosen.items[i], NULL);
	free(chosen.items);
}
