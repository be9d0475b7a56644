/* SPDX-License-Identifier: MIT */
/* perf bench uprobe */
#include "tools/bench/bench.h"
#include "tools/bench/uprobe-work.h"

/* All have one option, and differ by what the probe runs, and where. */
#define UPROBE_BENCHMARK(id, name_, summary_, ...)                                                 \
	BENCH_OPTS(id, struct bench_uprobe_params);                                                \
	static const struct option id##_options[] = {                                              \
		OPT_UINT('l', "loop", struct id##_opts, params.loops, "n",                         \
			 "number of calls of usleep(1000) (default: 1000)"),                       \
		OPT_SET(struct id##_opts, common, bench_options),                                  \
		OPT_END,                                                                           \
	};                                                                                         \
	static const struct id##_opts id##_defaults = {                                            \
		.common = BENCH_COMMON_DEFAULT,                                                    \
		.params = { .loops = 1000, __VA_ARGS__ },                                          \
	};                                                                                         \
	BENCH_DEFINE(id, "bench uprobe " name_, "uprobe/" name_, summary_, bench_uprobe, false)

UPROBE_BENCHMARK(uprobe_baseline, "baseline", "Baseline libc usleep(1000) call",
		 .program = BENCH_UPROBE_NONE);
UPROBE_BENCHMARK(uprobe_empty, "empty", "Attach empty BPF prog to uprobe on usleep, system wide",
		 .program = BENCH_UPROBE_EMPTY);
UPROBE_BENCHMARK(uprobe_trace_printk, "trace_printk",
		 "Attach trace_printk BPF prog to uprobe on usleep syswide",
		 .program = BENCH_UPROBE_PRINT);
UPROBE_BENCHMARK(uprobe_empty_ret, "empty_ret",
		 "Attach empty BPF prog to uretprobe on usleep, system wide",
		 .program = BENCH_UPROBE_EMPTY, .at_return = true);
UPROBE_BENCHMARK(uprobe_trace_printk_ret, "trace_printk_ret",
		 "Attach trace_printk BPF prog to uretprobe on usleep syswide",
		 .program = BENCH_UPROBE_PRINT, .at_return = true);
