/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Pieces of tables of `perf stat` with the counts of the recorded cases (tests/oracle/stat), for
 * tests of its views. Everything was counted for a million nanoseconds.
 */
#include "base/cleanup.h"
#include "count/stat.h"
#include "view/printed.h"
#include "tools/stat/text-view.h"
#include "tools/stat/stat-view.h"

#define EVENT(n)                                                                                   \
	{                                                                                          \
		.name = n, .unit = "", .cgroup = ""                                                \
	}

static const struct stat_event task_clock = {
	.name = "task-clock", .unit = "msec", .cgroup = "", .decimals = true
};
static const struct stat_event cs = EVENT("cs");
static const struct stat_event cycles = EVENT("cycles");
static const struct stat_event instructions = EVENT("instructions");
static const struct stat_event branches = EVENT("branches");
static const struct stat_event branch_misses = EVENT("branch-misses");
static const struct stat_event backend = EVENT("stalled-cycles-backend");

#define RAN_FOR(on, of)      .enabled = (of), .running = (on)
#define PARTLY(e, n, on, of) .event = &(e), .count = (n), RAN_FOR(on, of)
#define COUNTED(e, n)        PARTLY(e, n, 1000000, 1000000)
#define UNCOUNTED(e, s)      .event = &(e), .state = STAT_NOT_##s
#define METRIC(v, f, u)                                                                            \
	{                                                                                          \
		.known = true, .value = (v), .format = STAT_FORMAT_##f, .unit = u                  \
	}
#define UNKNOWN(f, u)                                                                              \
	{                                                                                          \
		.format = STAT_FORMAT_##f, .unit = u                                               \
	}
#define RATE(v, u)                                                                                 \
	{                                                                                          \
		.known = true, .value = (v), .unit = u, .rate = true                               \
	}
#define OF_ALL(v, f, u)                                                                            \
	{                                                                                          \
		.known = true, .value = (v), .format = STAT_FORMAT_##f, .unit = u, .of_all = true  \
	}
#define METRICS(n, ...) .n_metrics = (n), .metrics = { __VA_ARGS__ }
#define ROWS(r)         .rows = (r), .n_rows = ARRAY_SIZE(r)

/* The place of rows that belong to a unit, a CPU or a thread. */
__attribute__((unused)) static const struct stat_unit unit = { .socket = 0,
							       .die = 1,
							       .cluster = 5,
							       .core = 4,
							       .node = 2,
							       .cpu = 3,
							       .cache_level = 3,
							       .cache = 2,
							       .tid = 4,
							       .comm = "sleep" };

__attribute__((unused)) static const struct stat_view of_system = {
	.style = { .big_num = true },
	.title = { STAT_TARGET_SYSTEM, NULL },
};

/* Prints @t with the format under test, in the view @v, and compares. */
static inline void assert_shown(stat_print_fn *print, struct stat_view *v,
				const struct stat_table *t, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	print(v, t, p.out);
	assert_printed(&p, wanted);
}

static inline void assert_text(const struct stat_view *view, const struct stat_table *t,
			       const char *wanted)
{
	struct stat_view v = *view;

	assert_shown(stat_text_print, &v, t, wanted);
}
