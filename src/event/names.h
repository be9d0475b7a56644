/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names that every machine has: generic hardware and software events, cache events with all
 * their spellings, raw codes and the counters of perf itself. Pure tables; the names that a kernel
 * or a PMU adds are found elsewhere.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct named_event {
	uint32_t type; /* PERF_TYPE_HARDWARE or PERF_TYPE_SOFTWARE */
	uint64_t config;
	const char *name;
	const char *alias; /* or NULL */
	const char *brief; /* description of the count */
};

/* Returns the generic events, in table order; *@ret_n of them. */
const struct named_event *named_events(size_t *ret_n);

/* Finds an event by name or alias, or NULL. */
const struct named_event *named_event_find(const char *name);

/*
 * duration_time and similar events, measured by perf, not by the kernel. Their numbers are the
 * configs of the PMU `tool` of newer versions.
 */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_TOOL_DURATION_TIME,
	EVENT_TOOL_USER_TIME,
	EVENT_TOOL_SYSTEM_TIME,
	EVENT_TOOL_HAS_PMEM, /* from here on, facts that do not change during counting */
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
	EVENT_TOOL_DRM,                /* a process's use of a GPU (kernel/drm.h) */
};

const char *event_tool_name(enum event_tool tool);
const char *event_tool_brief(enum event_tool tool); /* one sentence */
enum event_tool event_tool_find(const char *name);  /* returns EVENT_TOOL_NONE if there is none */

/* True if it is a time, in nanoseconds, that runs during counting. */
bool event_tool_is_time(enum event_tool tool);

/*
 * Parses a cache event: a cache, then an operation and a result in either order, each optional
 * (L1-dcache-load-misses, LLC, dTLB-misses-store). -ENOENT: not a cache event's name; -EINVAL: it
 * is one, but that cache has no such operation (iTLB-stores).
 */
int cache_event_parse(const char *name, uint64_t *ret_config);

/*
 * Returns the name in `perf list` ("L1-dcache-load-misses") for the parts; NULL for impossible
 * pairs.
 */
char *cache_event_name(unsigned cache, unsigned op, unsigned result);

/* Parses rNNN: hexadecimal digits after an r, 0x is permitted. */
bool raw_event_parse(const char *name, uint64_t *ret_config);
