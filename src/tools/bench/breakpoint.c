/* SPDX-License-Identifier: MIT */
/* perf bench breakpoint */
#include "tools/bench/bench.h"
#include "tools/bench/programs/breakpoint.h"

BENCH_OPTS(breakpoint_thread, struct bench_breakpoint_thread_params);
BENCH_OPTS(breakpoint_enable, struct bench_breakpoint_enable_params);

static const struct option breakpoint_thread_options[] = {
	OPT_UINT('b', "breakpoints", struct breakpoint_thread_opts, params.breakpoints, "n",
		 "number of breakpoints (default: 1)"),
	OPT_UINT('p', "parallelism", struct breakpoint_thread_opts, params.parallelism, "n",
		 "threads that start others (default: 1)"),
	OPT_UINT('t', "threads", struct breakpoint_thread_opts, params.threads, "n",
		 "threads that are started and joined at once (default: 1)"),
	OPT_SET(struct breakpoint_thread_opts, common, bench_options),
	OPT_END,
};

static const struct option breakpoint_enable_options[] = {
	OPT_UINT('p', "passive", struct breakpoint_enable_opts, params.passive, "n",
		 "threads that sleep (default: 0)"),
	OPT_UINT('a', "active", struct breakpoint_enable_opts, params.active, "n",
		 "threads that run (default: 0)"),
	OPT_SET(struct breakpoint_enable_opts, common, bench_options),
	OPT_END,
};

static const struct breakpoint_thread_opts breakpoint_thread_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .breakpoints = 1, .parallelism = 1, .threads = 1 },
};
static const struct breakpoint_enable_opts breakpoint_enable_defaults = {
	.common = BENCH_COMMON_DEFAULT,
};

BENCH_DEFINE(breakpoint_thread, "bench breakpoint thread", "breakpoint/thread",
	     "Benchmark thread start/finish with breakpoints", bench_breakpoint_thread, true);
BENCH_DEFINE(breakpoint_enable, "bench breakpoint enable", "breakpoint/enable",
	     "Benchmark breakpoint enable/disable", bench_breakpoint_enable, true);
