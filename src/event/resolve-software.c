/* SPDX-License-Identifier: MIT */
/*
 * Events that no counter counts: perf reads them itself when it shows a table. The kernel gets a
 * dummy in their place, so that they can be in a group.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "event/env.h"
#include "event/resolve.h"
#include "event/suggest.h"
#include "kernel/drm.h"
#include "kernel/hwmon.h"
#include "wire/abi.h"

struct event *resolve_add_tool(struct event_resolver *r, enum event_tool tool)
{
	struct event *e = resolve_add(r, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	e->tool = tool;
	e->snapshot = !event_tool_is_time(tool);
	return e;
}

static void resolve_software_add_sensor(struct event_resolver *r, const struct hwmon_event *sensor)
{
	struct event *e = resolve_add_tool(r, EVENT_TOOL_FILE);

	e->file = xstrdup(sensor->file);
	free(e->unit);
	e->unit = xstrdup(sensor->unit);
	e->scale = sensor->scale;
}

static const struct hwmon_event *find_sensor(const struct hwmon *h, const char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (!strcmp(h->items[i].name, name) ||
		    (h->items[i].alias && !strcmp(h->items[i].alias, name)))
			return &h->items[i];
	return NULL;
}

/* Returns the one term, which is a name. -EINVAL: it is something else. */
static int only_name(struct event_resolver *r, const struct event_node *node)
{
	if (node->n_terms == 1 && !node->terms[0].value)
		return 0;
	resolve_wrong(r, -EINVAL, node->n_terms > 1 ? node->terms[1].name_span : node->span,
		      "'%s/NAME/' takes one name and no terms: perf reads the value itself",
		      node->name);
	return -EINVAL;
}

static int unknown_name(struct event_resolver *r, const struct event_node *node,
			struct similar *near)
{
	char *phrase = similar_phrase(near);

	resolve_wrong(r, -ENOENT, node->terms[0].name_span, "'%s' has no '%s'", node->name,
		      node->terms[0].name);
	if (phrase)
		diag_hint(r->diag, "Did you mean %s?", phrase);
	free(phrase);
	return -EINVAL;
}

static int resolve_tool(struct event_resolver *r, const struct event_node *node)
{
	struct similar near = { .typed = node->n_terms ? node->terms[0].name : "" };
	int result = only_name(r, node);
	enum event_tool tool;

	if (result < 0)
		return result;
	tool = event_tool_find(node->terms[0].name);
	if (tool != EVENT_TOOL_NONE) {
		resolve_add_tool(r, tool);
		return 0;
	}
	for (int i = EVENT_TOOL_NONE + 1; i < EVENT_TOOLS; i++)
		similar_add(&near, event_tool_name((enum event_tool)i));
	return unknown_name(r, node, &near);
}

static void add_drm(struct event_resolver *r, const struct drm_pmu *p, const struct drm_event *d)
{
	struct event *e = resolve_add_tool(r, EVENT_TOOL_DRM);

	e->drm_pmu = xstrdup(p->name);
	e->drm_key = xstrdup(d->name);
	free(e->unit);
	e->unit = xstrdup(d->unit);
}

static const struct drm_event *find_drm(const struct drm_pmu *p, const char *key)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->items[i].name, key))
			return &p->items[i];
	return NULL;
}

static int no_drm(struct event_resolver *r, const struct event_node *node)
{
	resolve_wrong(r, -ENODEV, node->name_span, "%s", SUGGEST_NO_DRM);
	suggest_drm(r->diag);
	return -EINVAL;
}

/* Resolves drm_DRIVER/KEY/. */
static int resolve_drm_pmu(struct event_resolver *r, const struct event_node *node)
{
	const struct drm_list *l = event_env_drm(r->env);
	struct similar near = { .typed = node->n_terms ? node->terms[0].name : "" };

	if (!l->n)
		return no_drm(r, node);
	for (size_t i = 0; i < l->n; i++) {
		const struct drm_pmu *p = &l->items[i];
		const struct drm_event *d;

		if (strcmp(p->name, node->name) != 0)
			continue;
		if (only_name(r, node) < 0)
			return -EINVAL;
		d = find_drm(p, node->terms[0].name);
		if (d) {
			add_drm(r, p, d);
			return 0;
		}
		for (size_t j = 0; j < p->n; j++)
			similar_add(&near, p->items[j].name);
		return unknown_name(r, node, &near);
	}
	return -ENOENT;
}

int resolve_software_pmu(struct event_resolver *r, const struct event_node *node)
{
	const struct hwmon_list *l;
	struct similar near = { .typed = node->n_terms ? node->terms[0].name : "" };
	size_t first = r->list->n;
	bool found = false;

	if (!strcmp(node->name, "tool"))
		return resolve_tool(r, node);
	if (!strncmp(node->name, "drm_", 4))
		return resolve_drm_pmu(r, node);
	if (strncmp(node->name, "hwmon", 5) != 0)
		return -ENOENT;
	l = event_env_hwmon(r->env);
	for (size_t i = 0; i < l->n; i++) {
		const struct hwmon *h = &l->items[i];
		const struct hwmon_event *sensor;

		if (strcmp(h->pmu, node->name) != 0 && strcmp(h->directory, node->name) != 0)
			continue;
		found = true;
		if (only_name(r, node) < 0)
			return -EINVAL;
		sensor = find_sensor(h, node->terms[0].name);
		if (sensor)
			resolve_software_add_sensor(r, sensor);
		for (size_t j = 0; j < h->n; j++)
			similar_add(&near, h->items[j].name);
	}
	if (r->list->n > first)
		return 0;
	return found ? unknown_name(r, node, &near) : -ENOENT;
}

/*
 * Names the added events. A name that several chips or drivers have gives an event for each, named
 * by its PMU, too. A single event is named as it was typed.
 */
static int name_added(struct event_resolver *r, size_t first)
{
	if (r->list->n == first)
		return -ENOENT;
	if (r->list->n == first + 1) {
		free(r->list->items[first]->name);
		r->list->items[first]->name = NULL;
	}
	return 0;
}

int resolve_sensor(struct event_resolver *r, const struct event_node *node)
{
	const struct hwmon_list *l = event_env_hwmon(r->env);
	size_t first = r->list->n;

	for (size_t i = 0; i < l->n; i++) {
		const struct hwmon_event *sensor = find_sensor(&l->items[i], node->name);

		if (!sensor)
			continue;
		resolve_software_add_sensor(r, sensor);
		r->list->items[r->list->n - 1]->name = xasprintf("%s/%s/", l->items[i].pmu,
								 node->name);
	}
	return name_added(r, first);
}

/* /proc is read only for such names. */
int resolve_drm(struct event_resolver *r, const struct event_node *node)
{
	const struct drm_list *l;
	size_t first = r->list->n;

	if (strncmp(node->name, "drm-", 4) != 0)
		return -ENOENT;
	l = event_env_drm(r->env);
	if (!l->n)
		return no_drm(r, node);
	for (size_t i = 0; i < l->n; i++) {
		const struct drm_event *d = find_drm(&l->items[i], node->name);

		if (!d)
			continue;
		add_drm(r, &l->items[i], d);
		r->list->items[r->list->n - 1]->name = xasprintf("%s/%s/", l->items[i].name,
								 node->name);
	}
	return name_added(r, first);
}
