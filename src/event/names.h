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
	const char *brief; /* what it counts */
};

/* The generic events, in table order; *@ret_n of them. */
const struct named_event *named_events(size_t *ret_n);

/* By name or alias, or NULL. */
const struct named_event *named_event_find(const char *name);

/*
 * duration_time and its like: measured by perf, not by the kernel. Their numbers are the configs of
 * the PMU `tool` of newer versions.
 */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_TOOL_DURATION_TIME,
	EVENT_TOOL_USER_TIME,
	EVENT_TOOL_SYSTEM_TIME,
	EVENT_TOOL_HAS_PMEM, /* from here on facts that do not change while others count */
	EVENT_TOOL_NUM_CORES,
	EVENT_TOOL_NUM_CPUS,
	EVENT_TOOL_NUM_CPUS_ONLINE,
	EVENT_TOOL_NUM_DIES,
	EVENT_TOOL_NUM_PACKAGES,
	EVENT_TOOL_SLOTS,
	EVENT_TOOL_SMT_ON,
	EVENT_TOOL_SYSTEM_TSC_FREQ,
	EVENT_TOOL_CORE_WIDE,
	EVENT_TOOL_TARGET_CPU,
	EVENT_TOOLS,
	EVENT_TOOL_FILE = EVENT_TOOLS, /* without a name: the number in a file, event.file */
	EVENT_TOOL_DRM,                /* what processes use of a GPU (kernel/drm.h) */
};

const char *event_tool_name(enum event_tool tool);
const char *event_tool_brief(enum event_tool tool); /* one sentence */
enum event_tool event_tool_find(const char *name);  /* EVENT_TOOL_NONE if there is none */

/* Is it a time, in nanoseconds, that goes on while others count? */
bool event_tool_is_time(enum event_tool tool);

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
