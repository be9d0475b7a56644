/* SPDX-License-Identifier: MIT */
#include "profile/figures.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"

#define SHARE(n, t, by, i)                                                                         \
	{                                                                                          \
		n, t, { by, i }, true, 0, OVER_KEY_NEVER, NO_BREAKDOWN                             \
	}
#define COUNT(n, t, by)                                                                            \
	{                                                                                          \
		n, t, { by, 0 }, false, 0, OVER_KEY_NEVER, NO_BREAKDOWN                            \
	}
#define WEIGHT(n, t, i, over)                                                                      \
	{                                                                                          \
		n, t, { ROW_BY_WEIGHT, i }, false, ROW_NEEDS_WEIGHTS, over, NO_BREAKDOWN           \
	}
#define LATENCY(n, by)                                                                             \
	{                                                                                          \
		n, "Latency", { by, 0 }, true, ROW_NEEDS_LATENCY, OVER_KEY_NEVER, NO_BREAKDOWN     \
	}
#define BRANCHES(n, t, i)                                                                          \
	{                                                                                          \
		n, t, { ROW_BY_BRANCHES, i }, false, ROW_NEEDS_BRANCHES, OVER_KEY_NEVER,           \
			NO_BREAKDOWN                                                               \
	}
#define BREAKDOWN(n, t, b)                                                                         \
	{                                                                                          \
		n, t, { ROW_BY_SELF, 0 }, true, ROW_NEEDS_MEMORY, OVER_KEY_NEVER, b                \
	}

static const struct figure figures[] = {
	SHARE("overhead", "Overhead", ROW_BY_SELF, 0),
	LATENCY("latency", ROW_BY_LATENCY),
	SHARE("overhead_sys", "sys", ROW_BY_SELF_MODE, MODE_KERNEL),
	SHARE("overhead_us", "usr", ROW_BY_SELF_MODE, MODE_USER),
	SHARE("overhead_guest_sys", "guest sys", ROW_BY_SELF_MODE, MODE_GUEST_KERNEL),
	SHARE("overhead_guest_us", "guest usr", ROW_BY_SELF_MODE, MODE_GUEST_USER),
	SHARE("overhead_children", "Children", ROW_BY_TOTAL, 0),
	LATENCY("latency_children", ROW_BY_LATENCY_TOTAL),
	COUNT("sample", "Samples", ROW_BY_SAMPLES),
	COUNT("period", "Period", ROW_BY_PERIOD),
	WEIGHT("weight1", "Weight1", 0, OVER_KEY_NEVER),
	WEIGHT("weight2", "Weight2", 1, OVER_KEY_NEVER),
	WEIGHT("weight3", "Weight3", 2, OVER_KEY_NEVER),
	WEIGHT("ins_lat", "Weight2", 1, OVER_KEY_BESIDE_MEANS),
	WEIGHT("retire_lat", "Weight3", 2, OVER_KEY_ALWAYS),
	WEIGHT("p_stage_cyc", "Weight3", 2, OVER_KEY_BESIDE_MEANS),
	BRANCHES("callchain_branch_predicted", "Predicted", BRANCHES_PREDICTED),
	BRANCHES("callchain_branch_abort", "Abort", BRANCHES_ABORTED),
	BRANCHES("callchain_branch_cycles", "Cycles", BRANCHES_CYCLES),
	BREAKDOWN("op", "Mem Op", MEMORY_BY_OP),
	BREAKDOWN("cache", "Cache", MEMORY_BY_CACHE),
	BREAKDOWN("memory", "Memory", MEMORY_BY_MEMORY),
	BREAKDOWN("snoop", "Snoop", MEMORY_BY_SNOOP),
	BREAKDOWN("dtlb", "D-TLB", MEMORY_BY_DTLB),
};

const struct figure *figure_find(const char *name, bool memory)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		if ((memory || figures[i].breakdown == NO_BREAKDOWN) &&
		    !strncasecmp(figures[i].name, name, n))
			return &figures[i];
	return NULL;
}

const struct figure *figure_get(const char *name)
{
	size_t i = 0;

	while (strcmp(figures[i].name, name)) {
		i++;
		assert(i < ARRAY_SIZE(figures));
	}
	return &figures[i];
}

void figures_for_each(void (*each)(void *arg, const struct figure *f), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		each(arg, &figures[i]);
}

uint64_t figure_value(const struct row_order *o, const struct report_row *row)
{
	switch (o->by) {
	case ROW_BY_TOTAL:
		return row->total.period;
	case ROW_BY_SELF:
	case ROW_BY_PERIOD:
		return row->self.period;
	case ROW_BY_SELF_MODE:
		return row->self_by_mode[o->index];
	case ROW_BY_SAMPLES:
		return row->self.samples;
	case ROW_BY_WEIGHT:
		return row->sums->weights[o->index];
	case ROW_BY_LATENCY:
		return row->sums->latency;
	case ROW_BY_LATENCY_TOTAL:
		return row->sums->latency_total;
	case ROW_BY_BRANCHES:
		return row->sums->branches.n;
	case ROW_BY_KEY:
		break;
	}
	assert(!"a figure");
	return 0;
}
