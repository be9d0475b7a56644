/* SPDX-License-Identifier: MIT */
#include "event/resolve.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "event/env.h"
#include "kernel/pmu.h"

unsigned resolve_core_kinds(struct event_resolver *r)
{
	struct pmu_list *pmus = event_env_pmus(r->env);
	unsigned n = 0;

	for (size_t at = 0; pmu_list_next_core(pmus, &at);)
		n++;
	return n;
}

void resolve_core_name(struct event_resolver *r, struct event *e, const struct event_node *node)
{
	struct text t = TEXT_EMPTY;

	if (resolve_core_kinds(r) < 2)
		return;
	text_addf(&t, "%s/", e->pmu->name);
	if (e->name)
		text_add(&t, e->name);
	else
		text_add_bytes(&t, r->ast->source + node->name_span.at, node->name_span.length);
	/*
	 * With its terms the name would parse to this event again; a user's own name is used
	 * without them.
	 */
	for (size_t i = 0; i < node->n_terms && !e->name; i++) {
		const struct event_term *term = &node->terms[i];

		text_addf(&t, ",%s%s%s", term->name, term->value ? "=" : "",
			  term->value ? term->value : "");
	}
	text_addf(&t, "/%s", node->modifiers ? node->modifiers : "");
	free(e->name);
	e->name = text_take(&t);
}

/*
 * Adds a hardware event. On a machine with several kinds of cores it is opened on the PMU of each,
 * and counts on its cores only. A generic event has the PMU's type in the upper half of its config;
 * for a raw one it is the event's own type.
 */
int resolve_hardware(struct event_resolver *r, const struct event_node *node, uint32_t type,
		     uint64_t config)
{
	struct pmu_list *pmus = event_env_pmus(r->env);
	const struct pmu *pmu;
	int result = 0;

	if (resolve_core_kinds(r) < 2)
		return resolve_terms(r, resolve_add(r, type, config), node);
	for (size_t at = 0; result >= 0 && (pmu = pmu_list_next_core(pmus, &at));) {
		struct event *e;

		if (!event_env_wants_cores(r->env, pmu))
			continue;
		e = resolve_add(r, type == PERF_TYPE_RAW ? pmu->type : type, config);
		e->pmu = pmu;
		result = resolve_terms(r, e, node);
		if (type != PERF_TYPE_RAW)
			e->attr.config |= (uint64_t)pmu->type << PERF_PMU_TYPE_SHIFT;
		resolve_core_name(r, e, node);
	}
	return result;
}

static int add_tool(struct event_resolver *r, const struct event_node *node, enum event_tool tool)
{
	if (node->slashes)
		return resolve_wrong(r, -EINVAL, node->span,
				     "'%s' is measured by perf itself and has no terms",
				     node->name);
	resolve_add_tool(r, tool);
	return 0;
}

/* True if a core has a counter for `slots`; that counter is then used. */
static bool is_of_core(struct event_resolver *r, enum event_tool tool)
{
	struct pmu_list *pmus = event_env_pmus(r->env);
	const struct pmu *pmu;

	for (size_t at = 0; tool == EVENT_TOOL_SLOTS && (pmu = pmu_list_next_core(pmus, &at));)
		if (pmu_alias_find(pmu, event_tool_name(tool)))
			return true;
	return false;
}

/* Adds a cache event. Its name is without modifiers, as in Linux's perf. */
static int resolve_generic_add_cache(struct event_resolver *r, const struct event_node *node,
				     uint64_t config)
{
	size_t first = r->list->n;
	int result = resolve_hardware(r, node, PERF_TYPE_HW_CACHE, config);

	for (size_t i = first; i < r->list->n && result >= 0; i++)
		if (!r->list->items[i]->name)
			r->list->items[i]->name = xstrdup(node->name);
	return result;
}

int resolve_generic(struct event_resolver *r, const struct event_node *node)
{
	const struct named_event *named = named_event_find(node->name);
	enum event_tool tool = event_tool_find(node->name);
	uint64_t config;
	int result;

	if (named && named->type == PERF_TYPE_HARDWARE)
		return resolve_hardware(r, node, named->type, named->config);
	if (named)
		return resolve_terms(r, resolve_add(r, named->type, named->config), node);
	if (tool != EVENT_TOOL_NONE && !is_of_core(r, tool))
		return add_tool(r, node, tool);
	result = cache_event_parse(node->name, &config);
	if (result == -EINVAL)
		return resolve_wrong(r, -EINVAL, node->name_span,
				     "that cache has no such operation");
	if (result == 0)
		return resolve_generic_add_cache(r, node, config);
	if (raw_event_parse(node->name, &config))
		return resolve_hardware(r, node, PERF_TYPE_RAW, config);
	return -ENOENT;
}
