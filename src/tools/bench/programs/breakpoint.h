/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of hardware breakpoints: their cost for threads that start and end. */
#include <stdint.h>

#include "tools/bench/programs/run.h"

/* Makes @repeat rounds of @threads threads each, by @parallelism threads, under @breakpoints. */
struct bench_breakpoint_thread_params {
	uint64_t breakpoints, parallelism, threads;
};
bench_fn bench_breakpoint_thread;

/* Switches a breakpoint that all threads have off and on @repeat times. */
struct bench_breakpoint_enable_params {
	uint64_t passive, active; /* numbers of sleeping and of running threads */
};
bench_fn bench_breakpoint_enable;
