/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events made by hand, so that tests of counting need neither sysfs nor the parser.
 */
#include "base/memory.h"
#include "event/event.h"
#include "kernel/perf-event.h"

static inline struct event *event_add(struct event_list *l, const char *name, uint32_t type,
				      uint64_t config)
{
	struct event *e = xcalloc(1, sizeof(*e));

	e->attr = (struct attr){ .type = type, .config = config, .exclude_guest = 1 };
	e->name = xstrdup(name);
	e->unit = xstrdup("");
	e->scale = 1;
	e->leader = l->n;
	*ARRAY_ADD(l) = e;
	return e;
}

static inline struct event *add_task_clock(struct event_list *l)
{
	return event_add(l, "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
}

static inline struct event *add_faults(struct event_list *l)
{
	return event_add(l, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
}

static inline struct event *add_switches(struct event_list *l)
{
	return event_add(l, "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
}

/* Adds an event whose type belongs to no PMU. */
static inline struct event *add_unsupported(struct event_list *l)
{
	return event_add(l, "unicorns", 0x7fffffff, 0);
}

/* Makes one group of all events from @first on. */
static inline void make_group(struct event_list *l, size_t first)
{
	for (size_t i = first; i < l->n; i++)
		l->items[i]->leader = first;
}

/* Skips the test if the call is forbidden, as in some containers. */
static inline void need_events(void)
{
	const struct attr clock = { .type = PERF_TYPE_SOFTWARE,
				    .config = PERF_COUNT_SW_TASK_CLOCK };

	if (!perf_event_supported(&clock))
		skip();
}
