/* SPDX-License-Identifier: MIT */
/*
 * Gathers the events of PMUs: those named in sysfs, and for a core's PMU those of the vendor's
 * table.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "event/catalog-gather.h"
#include "event/env.h"
#include "event/vendor.h"
#include "kernel/drm.h"
#include "kernel/hwmon.h"
#include "kernel/pmu.h"

/* Returns the name, "param,chip=?": parameters that a user must fill in are part of it. */
static const char *pmu_event_name(struct gathering *g, const struct pmu *p,
				  const struct pmu_alias *a)
{
	struct text t = TEXT_EMPTY;

	text_addf(&t, "%s/%s", p->name, a->name);
	for (const char *term = a->terms; *term; term += strcspn(term, ",")) {
		term += *term == ',';

		size_t n = strcspn(term, ",");

		if (n > 2 && !strncmp(term + n - 2, "=?", 2))
			text_addf(&t, ",%.*s", (int)n, term);
	}
	text_add_char(&t, '/');

	const char *name = gather_keep(g, t.chars);

	text_done(&t);
	return name;
}

static void add_sysfs_event(struct gathering *g, const struct pmu *p, const struct pmu_alias *a)
{
	const char *name = pmu_event_name(g, p, a);

	if (!gather_selects_any_case(g, name) && !gather_selects_any_case(g, a->name))
		return;

	struct catalog_entry *e = gather_add(g, CATALOG_PMU, name);

	e->pmu = p->name;
	e->core = p->core;
	e->alias = p->core ? a->name : NULL;
	e->encoding = gather_keepf(g, "%s/%s/", p->name, a->terms);
	if (*a->unit)
		e->scale_unit = gather_keepf(g, "%g%s", a->scale, a->unit);
}

static void add_vendor_event(struct gathering *g, const struct pmu *p, const struct vendor_event *v)
{
	if ((v->deprecated && !g->query->deprecated) ||
	    (!gather_selects_any_case(g, v->name) && !gather_selects_any_case(g, v->topic)))
		return;

	struct catalog_entry *e = gather_add(g, CATALOG_PMU, v->name);

	e->pmu = p->name;
	e->core = p->core;
	e->topic = v->topic;
	e->brief = v->brief;
	e->description = v->description;
	e->encoding = gather_keepf(g, "%s/%s/", p->name, v->terms);
	e->deprecated = v->deprecated;
	if (v->unit)
		e->scale_unit = gather_keepf(g, "%g%s", v->scale, v->unit);
}

static void gather_pmu(struct gathering *g, const struct pmu *p)
{
	const struct vendor_table *table = vendor_table_for_pmu(p);

	for (size_t i = 0; i < p->n_aliases; i++)
		if (!table || !vendor_event_find(table, p->aliases[i].name))
			add_sysfs_event(g, p, &p->aliases[i]);
	for (size_t i = 0; table && i < table->n; i++)
		add_vendor_event(g, p, &table->events[i]);
}

/*
 * Compares entries: those without a description first, then by topic, the cores' own before the
 * others.
 */
static int by_topic(const void *x, const void *y)
{
	const struct catalog_entry *a = x, *b = y;
	int r = (a->brief != NULL) - (b->brief != NULL);

	if (!r && a->topic && b->topic)
		r = strcmp(a->topic, b->topic);
	if (!r)
		r = b->core - a->core;
	if (!r)
		r = strcmp(a->name, b->name);
	return r ? r : strcmp(a->pmu, b->pmu);
}

/*
 * Drops repeated events: two kinds of cores have most events in common, and -e accepts the name for
 * both.
 */
static void drop_repeated(struct catalog *c, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < c->n; i++)
		if (i == first || strcmp(c->items[i].name, c->items[kept - 1].name) != 0)
			c->items[kept++] = c->items[i];
	c->n = kept;
}

void gather_pmus(struct gathering *g)
{
	struct pmu_list *pmus = event_env_pmus(g->env);
	struct catalog *c = g->catalog;
	size_t first = c->n;

	for (size_t i = 0; i < pmu_list_count(pmus); i++) {
		const struct pmu *p = NULL;

		if (!g->query->pmu || pmu_name_matches(pmu_list_name(pmus, i), g->query->pmu))
			p = pmu_list_get(pmus, i);
		if (p)
			gather_pmu(g, p);
	}
	if (c->n == first)
		return;
	qsort(&c->items[first], c->n - first, sizeof(c->items[0]), by_topic);
	drop_repeated(c, first);
}

static void catalog_pmu_add_sensor(struct gathering *g, const struct hwmon *h,
				   const struct hwmon_event *s)
{
	struct catalog_entry *e;

	if (!gather_selects_any_case(g, s->name) && !gather_selects_any_case(g, s->alias) &&
	    !gather_selects_any_case(g, h->pmu))
		return;
	e = gather_add(g, CATALOG_HWMON, s->name);
	e->alias = s->alias;
	e->pmu = h->pmu;
	e->topic = "hwmon";
	e->brief = s->brief;
	e->encoding = gather_keepf(g, "%s/config=%#x/", h->pmu, s->config);
	e->scale_unit = gather_keepf(g, "%g%s", s->scale, s->unit);
}

void gather_hwmon(struct gathering *g)
{
	const struct hwmon_list *l = event_env_hwmon(g->env);

	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < l->items[i].n; j++)
			if (!g->query->pmu || pmu_name_matches(l->items[i].pmu, g->query->pmu))
				catalog_pmu_add_sensor(g, &l->items[i], &l->items[i].items[j]);
}

static void add_drm_event(struct gathering *g, const struct drm_pmu *p, const struct drm_event *d)
{
	struct catalog_entry *e;

	if (!gather_selects_any_case(g, d->name) && !gather_selects_any_case(g, p->name))
		return;
	e = gather_add(g, CATALOG_DRM, d->name);
	e->pmu = p->name;
	e->topic = "drm";
	e->brief = d->brief;
	e->encoding = gather_keepf(g, "%s/config=0x%x/", p->name, d->config);
	e->scale_unit = gather_keepf(g, "1%s", d->unit);
}

void gather_drm(struct gathering *g)
{
	const struct drm_list *l = event_env_drm(g->env);

	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < l->items[i].n; j++)
			if (!g->query->pmu || pmu_name_matches(l->items[i].name, g->query->pmu))
				add_drm_event(g, &l->items[i], &l->items[i].items[j]);
}
