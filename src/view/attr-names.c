/* SPDX-License-Identifier: MIT */
#include "view/attr-names.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "datafile/features.h"
#include "wire/attr.h"

/* Type and config are the macros of linux/perf_event.h, spelled out. */
#define NAME(x) [x] = #x

static const char *const type_names[] = {
	NAME(PERF_TYPE_HARDWARE), NAME(PERF_TYPE_SOFTWARE), NAME(PERF_TYPE_TRACEPOINT),
	NAME(PERF_TYPE_HW_CACHE), NAME(PERF_TYPE_RAW),      NAME(PERF_TYPE_BREAKPOINT),
};

static const char *const hardware_names[] = {
	NAME(PERF_COUNT_HW_CPU_CYCLES),
	NAME(PERF_COUNT_HW_INSTRUCTIONS),
	NAME(PERF_COUNT_HW_CACHE_REFERENCES),
	NAME(PERF_COUNT_HW_CACHE_MISSES),
	NAME(PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
	NAME(PERF_COUNT_HW_BRANCH_MISSES),
	NAME(PERF_COUNT_HW_BUS_CYCLES),
	NAME(PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
	NAME(PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
	NAME(PERF_COUNT_HW_REF_CPU_CYCLES),
};

static const char *const software_names[] = {
	NAME(PERF_COUNT_SW_CPU_CLOCK),        NAME(PERF_COUNT_SW_TASK_CLOCK),
	NAME(PERF_COUNT_SW_PAGE_FAULTS),      NAME(PERF_COUNT_SW_CONTEXT_SWITCHES),
	NAME(PERF_COUNT_SW_CPU_MIGRATIONS),   NAME(PERF_COUNT_SW_PAGE_FAULTS_MIN),
	NAME(PERF_COUNT_SW_PAGE_FAULTS_MAJ),  NAME(PERF_COUNT_SW_ALIGNMENT_FAULTS),
	NAME(PERF_COUNT_SW_EMULATION_FAULTS), NAME(PERF_COUNT_SW_DUMMY),
	NAME(PERF_COUNT_SW_BPF_OUTPUT),       NAME(PERF_COUNT_SW_CGROUP_SWITCHES),
};

static const char *const cache_names[] = {
	NAME(PERF_COUNT_HW_CACHE_L1D),  NAME(PERF_COUNT_HW_CACHE_L1I),
	NAME(PERF_COUNT_HW_CACHE_LL),   NAME(PERF_COUNT_HW_CACHE_DTLB),
	NAME(PERF_COUNT_HW_CACHE_ITLB), NAME(PERF_COUNT_HW_CACHE_BPU),
	NAME(PERF_COUNT_HW_CACHE_NODE),
};

static const char *const cache_op_names[] = {
	NAME(PERF_COUNT_HW_CACHE_OP_READ),
	NAME(PERF_COUNT_HW_CACHE_OP_WRITE),
	NAME(PERF_COUNT_HW_CACHE_OP_PREFETCH),
};

static const char *const cache_result_names[] = {
	NAME(PERF_COUNT_HW_CACHE_RESULT_ACCESS),
	NAME(PERF_COUNT_HW_CACHE_RESULT_MISS),
};
#undef NAME

#define NAME_OF(table, i) ((i) < ARRAY_SIZE(table) ? (table)[i] : NULL)

/*
 * The parts of config for hardware and cache events: the event in the lower half, its PMU in the
 * upper half.
 */
#define EVENT_OF(config) ((config)&0xffffffff)
#define PMU_OF(config)   ((uint32_t)((config) >> 32))

static const char *attr_names_pmu_name(const struct features *f, uint32_t type)
{
	for (size_t i = 0; f && i < f->pmu_mappings.n; i++)
		if (f->pmu_mappings.items[i].type == type)
			return f->pmu_mappings.items[i].name;
	return NULL;
}

static void attr_names_add_escaped(struct text *t, const char *s)
{
	if (s)
		escape_terminal(t, s, strlen(s));
}

static void name_type(struct text *t, uint32_t type, const struct features *f)
{
	const char *pmu = attr_names_pmu_name(f, type);
	const char *name = NAME_OF(type_names, type);

	/* A PMU of the machine may have the number of raw events. */
	if (type == PERF_TYPE_RAW && pmu)
		name = pmu;
	attr_names_add_escaped(t, name ? name : pmu);
}

static void attr_names_name_cache(struct text *t, uint64_t event)
{
	const char *cache = NAME_OF(cache_names, event & 0xff);
	const char *op = NAME_OF(cache_op_names, event >> 8 & 0xff);
	const char *result = NAME_OF(cache_result_names, event >> 16);

	if (cache && op && result)
		text_addf(t, "%s | %s | %s", result, op, cache);
}

static void name_config(struct text *t, const struct attr *a, const char *tracepoint)
{
	uint64_t event = EVENT_OF(a->config);

	switch (a->type) {
	case PERF_TYPE_HARDWARE:
		attr_names_add_escaped(t, NAME_OF(hardware_names, event));
		break;
	case PERF_TYPE_SOFTWARE:
		attr_names_add_escaped(t, NAME_OF(software_names, a->config));
		break;
	case PERF_TYPE_HW_CACHE:
		attr_names_name_cache(t, event);
		break;
	case PERF_TYPE_TRACEPOINT:
		attr_names_add_escaped(t, tracepoint);
		break;
	}
}

/* Puts a name into its PMU: "cpu_core/PERF_COUNT_HW_CPU_CYCLES/". */
static void attr_names_add_pmu(struct text *t, const struct attr *a, const struct features *f)
{
	uint32_t type = PMU_OF(a->config);
	const char *pmu = type ? attr_names_pmu_name(f, type) : NULL;
	_cleanup_(text_done) struct text bare = TEXT_EMPTY;

	if (!pmu || !t->length || (a->type != PERF_TYPE_HARDWARE && a->type != PERF_TYPE_HW_CACHE))
		return;
	text_add(&bare, t->chars);
	text_clear(t);
	attr_names_add_escaped(t, pmu);
	text_addf(t, "/%s/", bare.chars);
}

struct attr_names attr_names_of(const struct attr *attr, const struct features *features,
				const char *tracepoint)
{
	struct attr_names n = { TEXT_EMPTY, TEXT_EMPTY };

	name_type(&n.type, attr->type, features);
	name_config(&n.config, attr, tracepoint);
	attr_names_add_pmu(&n.config, attr, features);
	return n;
}

void attr_names_done(struct attr_names *n)
{
	text_done(&n->type);
	text_done(&n->config);
}
