/* SPDX-License-Identifier: MIT */
#include "event/names.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/number.h"
#include "wire/abi.h"

static const struct named_event events[] = {
#define NAMED_EVENT(type, config, name, alias, brief) { type, config, name, alias, brief },
#include "event/names.def"
#undef NAMED_EVENT
};

const struct named_event *named_events(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(events);
	return events;
}

const struct named_event *named_event_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(events[i].name, name) ||
		    (events[i].alias && !strcmp(events[i].alias, name)))
			return &events[i];
	return NULL;
}

static const struct {
	const char *name, *brief;
} tools[EVENT_TOOLS] = {
	[EVENT_TOOL_NONE] = { "", "" },
	[EVENT_TOOL_DURATION_TIME] = { "duration_time", "Time that passed, in nanoseconds" },
	[EVENT_TOOL_USER_TIME] = { "user_time", "Time in user mode, in nanoseconds" },
	[EVENT_TOOL_SYSTEM_TIME] = { "system_time", "Time in the kernel, in nanoseconds" },
	[EVENT_TOOL_HAS_PMEM] = { "has_pmem", "1 if there is persistent memory" },
	[EVENT_TOOL_NUM_CORES] = { "num_cores", "Cores that are online" },
	[EVENT_TOOL_NUM_CPUS] = { "num_cpus", "CPUs: hardware threads of all cores" },
	[EVENT_TOOL_NUM_CPUS_ONLINE] = { "num_cpus_online", "CPUs that are online" },
	[EVENT_TOOL_NUM_DIES] = { "num_dies",
				  "Dies of all packages; 0 if the kernel does not say" },
	[EVENT_TOOL_NUM_PACKAGES] = { "num_packages", "Packages (sockets)" },
	[EVENT_TOOL_SLOTS] = { "slots", "Operations that a core can issue in a cycle (Arm)" },
	[EVENT_TOOL_SMT_ON] = { "smt_on", "1 if hardware threads share a core" },
	[EVENT_TOOL_SYSTEM_TSC_FREQ] = { "system_tsc_freq",
					 "Rate of the time-stamp counter, in Hz (x86)" },
	[EVENT_TOOL_CORE_WIDE] = { "core_wide", "1 if all threads of a core are counted" },
	[EVENT_TOOL_TARGET_CPU] = { "target_cpu", "1 if CPUs are counted, 0 if tasks are" },
};

const char *event_tool_name(enum event_tool tool)
{
	return tools[tool].name;
}

const char *event_tool_brief(enum event_tool tool)
{
	return tools[tool].brief;
}

enum event_tool event_tool_find(const char *name)
{
	for (int i = EVENT_TOOL_NONE + 1; i < EVENT_TOOLS; i++)
		if (!strcmp(tools[i].name, name))
			return (enum event_tool)i;
	return EVENT_TOOL_NONE;
}

bool event_tool_is_time(enum event_tool tool)
{
	return tool >= EVENT_TOOL_DURATION_TIME && tool <= EVENT_TOOL_SYSTEM_TIME;
}

/* Spellings of each part; the first is the one that is listed. */
#define SPELLINGS 6

static const char *const caches[PERF_COUNT_HW_CACHE_MAX][SPELLINGS] = {
	[PERF_COUNT_HW_CACHE_L1D] = { "L1-dcache", "l1-d", "l1d", "L1-data" },
	[PERF_COUNT_HW_CACHE_L1I] = { "L1-icache", "l1-i", "l1i", "L1-instruction" },
	[PERF_COUNT_HW_CACHE_LL] = { "LLC", "L2" },
	[PERF_COUNT_HW_CACHE_DTLB] = { "dTLB", "d-tlb", "Data-TLB" },
	[PERF_COUNT_HW_CACHE_ITLB] = { "iTLB", "i-tlb", "Instruction-TLB" },
	[PERF_COUNT_HW_CACHE_BPU] = { "branch", "bpu", "btb", "bpc" },
	[PERF_COUNT_HW_CACHE_NODE] = { "node" },
};

static const char *const operations[PERF_COUNT_HW_CACHE_OP_MAX][SPELLINGS] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "load", "loads", "read" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "store", "stores", "write" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetch", "prefetches", "speculative-read",
					      "speculative-load" },
};

static const char *const results[PERF_COUNT_HW_CACHE_RESULT_MAX][SPELLINGS] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { "refs", "Reference", "ops", "access" },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { "misses", "miss" },
};

/* The operations that exist: code is never stored to, and predictors are only read. */
static const unsigned possible_operations[PERF_COUNT_HW_CACHE_MAX] = {
#define OP(x) (1u << PERF_COUNT_HW_CACHE_OP_##x)
	[PERF_COUNT_HW_CACHE_L1D] = OP(READ) | OP(WRITE) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_L1I] = OP(READ) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_LL] = OP(READ) | OP(WRITE) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_DTLB] = OP(READ) | OP(WRITE) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_ITLB] = OP(READ),
	[PERF_COUNT_HW_CACHE_BPU] = OP(READ),
	[PERF_COUNT_HW_CACHE_NODE] = OP(READ) | OP(WRITE) | OP(PREFETCH),
#undef OP
};

/*
 * Matches the beginning of *@s, up to a hyphen or the end, against the spellings of @n parts, the
 * longest first. Advances *@s past it and the hyphen, and returns its index, or -1.
 */
static int event_names_take_part(const char **s, const char *const table[][SPELLINGS], int n)
{
	size_t longest = 0;
	int found = -1;

	for (int i = 0; i < n; i++) {
		for (int j = 0; j < SPELLINGS && table[i][j]; j++) {
			size_t length = strlen(table[i][j]);
			char end = strncmp(*s, table[i][j], length) ? 'x' : (*s)[length];

			if (length <= longest || (end && end != '-'))
				continue;
			longest = length;
			found = i;
		}
	}
	/* Something must follow a hyphen. */
	if (found >= 0 && (*s)[longest] && !(*s)[longest + 1])
		return -1;
	if (found >= 0)
		*s += longest + ((*s)[longest] == '-');
	return found;
}

int cache_event_parse(const char *name, uint64_t *ret_config)
{
	int cache = event_names_take_part(&name, caches, PERF_COUNT_HW_CACHE_MAX);
	int op = -1, result = -1;

	if (cache < 0)
		return -ENOENT;
	while (*name) {
		int part;

		if (op < 0 && (part = event_names_take_part(&name, operations,
							    PERF_COUNT_HW_CACHE_OP_MAX)) >= 0)
			op = part;
		else if (result < 0 &&
			 (part = event_names_take_part(&name, results,
						       PERF_COUNT_HW_CACHE_RESULT_MAX)) >= 0)
			result = part;
		else
			return -ENOENT;
	}
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (!(possible_operations[cache] & 1u << op))
		return -EINVAL;
	*ret_config = (uint64_t)cache | (uint64_t)op << 8 | (uint64_t)result << 16;
	return 0;
}

char *cache_event_name(unsigned cache, unsigned op, unsigned result)
{
	if (!(possible_operations[cache] & 1u << op))
		return NULL;
	if (result == PERF_COUNT_HW_CACHE_RESULT_MISS)
		return xasprintf("%s-%s-%s", caches[cache][0], operations[op][0],
				 results[result][0]);
	return xasprintf("%s-%s", caches[cache][0], operations[op][1]);
}

bool raw_event_parse(const char *name, uint64_t *ret_config)
{
	return name[0] == 'r' && number_parse_hex(name + 1, ret_config) == 0;
}
