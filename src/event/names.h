/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names that every machine has: generic hardware and software events, cache events with all
 * their spellings, raw codes and the counters that perf itself keeps. Pure tables; what a kernel or
 * a PMU adds is found elsewhere.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct named_event {
	uint32_t type; /* PERF_TYPE_HARDWARE or PERF_TYPE_SOFTWARE */
	uint64_t config;
	const char *name;
	const char *alias; /* or NULL */
};

/* The generic events, in table order; *@ret_n of them. */
const struct named_event *named_events(size_t *ret_n);

/* By name or alias, or NULL. */
const struct named_event *named_event_find(const char *name);

/* duration_time and its like: measured by perf, not by the kernel. */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_TOOL_DURATION_TIME,
	EVENT_TOOL_USER_TIME,
	EVENT_TOOL_SYSTEM_TIME,
	EVENT_TOOLS,
};

const char *event_tool_name(enum event_tool tool);
enum event_tool event_tool_find(const char *name); /* EVENT_TOOL_NONE if there is none */

/*
 * A cache event: a cache, then an operation and a result in either order, each optional
 * (L1-dcache-load-misses, LLC, dTLB-misses-store). -ENOENT: not a cache event's name; -EINVAL: it
 * is one, but that cache has no such operation (iTLB-stores).
 */
int cache_event_parse(const char *name, uint64_t *ret_config);

/* The name `perf list` shows ("L1-dcache-load-misses") for the parts; NULL for impossible pairs. */
char *cache_event_name(unsigned cache, unsigned op, unsigned result);

/* rNNN: hexadecimal digits after an r, 0x allowed. */
bool raw_event_parse(const char *name, uint64_t *ret_config);
