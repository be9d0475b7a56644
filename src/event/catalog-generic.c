/* SPDX-License-Identifier: MIT */
/* Gathers the names that every machine has, if this one can count them. */
#include "base/cleanup.h"
#include "event/catalog-gather.h"
#include "event/env.h"
#include "event/names.h"
#include "kernel/machine-fact.h"
#include "kernel/perf-event.h"
#include "wire/attr.h"

static bool catalog_generic_countable(const struct gathering *g, uint32_t type, uint64_t config)
{
	const struct attr attr = { .type = type, .config = config };

	return g->query->supported ? g->query->supported(&attr) : perf_event_supported(&attr);
}

bool gather_can_count(const struct gathering *g, const char *name)
{
	const struct named_event *named = named_event_find(name);
	uint64_t config;

	if (named)
		return catalog_generic_countable(g, named->type, named->config);
	if (event_tool_find(name) != EVENT_TOOL_NONE)
		return true;
	return cache_event_parse(name, &config) == 0 &&
	       catalog_generic_countable(g, PERF_TYPE_HW_CACHE, config);
}

static bool catalog_generic_is_clock(const struct named_event *e)
{
	return e->config == PERF_COUNT_SW_CPU_CLOCK || e->config == PERF_COUNT_SW_TASK_CLOCK;
}

static void describe_software(struct gathering *g, const struct named_event *e,
			      struct catalog_entry *entry)
{
	entry->pmu = entry->topic = "software";
	entry->encoding = gather_keepf(g, "software/config=%#x/", (unsigned)e->config);
	if (catalog_generic_is_clock(e))
		entry->scale_unit = "1e-06msec";
}

static void gather_named(struct gathering *g, enum catalog_kind kind, uint32_t type)
{
	size_t n;
	const struct named_event *events = named_events(&n);

	for (size_t i = 0; i < n; i++) {
		const struct named_event *e = &events[i];
		struct catalog_entry *entry;

		if (e->type != type ||
		    (!gather_selects(g, e->name) && !gather_selects(g, e->alias)) ||
		    !catalog_generic_countable(g, e->type, e->config))
			continue;
		entry = gather_add(g, kind, e->name);
		entry->alias = e->alias;
		entry->brief = e->brief;
		if (type == PERF_TYPE_SOFTWARE)
			describe_software(g, e, entry);
	}
}

static void gather_cache(struct gathering *g, unsigned cache)
{
	for (unsigned op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
		for (unsigned result = 0; result < PERF_COUNT_HW_CACHE_RESULT_MAX; result++) {
			_cleanup_(freep) char *name = cache_event_name(cache, op, result);

			if (gather_selects(g, name) &&
			    catalog_generic_countable(g, PERF_TYPE_HW_CACHE,
						      cache | op << 8 | result << 16))
				gather_add(g, CATALOG_CACHE, gather_keep(g, name));
		}
}

/* True if this machine has the tool event: some exist only on one kind of machine. */
static bool tool_is_here(const struct gathering *g, enum event_tool tool)
{
	uint64_t ignored;

	if (tool != EVENT_TOOL_SLOTS && tool != EVENT_TOOL_SYSTEM_TSC_FREQ)
		return true;
	return event_env_is_here(g->env) &&
	       machine_fact_read("", machine_fact_find(event_tool_name(tool)), &ignored) >= 0;
}

static void gather_tools(struct gathering *g)
{
	/* The list of software events contains only those that count, as it always has. */
	bool software = g->catalog->kinds == (1u << CATALOG_SOFTWARE | 1u << CATALOG_TOOL);

	for (enum event_tool t = EVENT_TOOL_NONE + 1; t < EVENT_TOOLS; t++) {
		struct catalog_entry *e;

		if (!gather_selects(g, event_tool_name(t)) || !tool_is_here(g, t) ||
		    (software && !event_tool_is_time(t)))
			continue;
		e = gather_add(g, CATALOG_TOOL, event_tool_name(t));
		e->pmu = e->topic = "tool";
		e->brief = event_tool_brief(t);
		e->encoding = gather_keepf(g, "tool/config=%#x/", (unsigned)t);
	}
}

void gather_generic(struct gathering *g, enum catalog_kind kind)
{
	size_t first = g->catalog->n;

	switch (kind) {
	case CATALOG_HARDWARE:
		gather_named(g, kind, PERF_TYPE_HARDWARE);
		break;
	case CATALOG_SOFTWARE:
		gather_named(g, kind, PERF_TYPE_SOFTWARE);
		break;
	case CATALOG_CACHE:
		for (unsigned cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++)
			gather_cache(g, cache);
		break;
	case CATALOG_TOOL:
		gather_tools(g);
		return;
	case CATALOG_RAW:
		gather_add(g, kind, "rNNN");
		gather_add(g, kind, "cpu/t1=v1[,t2=v2,t3 ...]/modifier");
		return;
	case CATALOG_BREAKPOINT:
		gather_add(g, kind, "mem:<addr>[/len][:access]");
		return;
	default:
		return;
	}
	gather_sort(g, first);
}
