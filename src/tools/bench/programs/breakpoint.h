/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of hardware breakpoints: what they cost threads that come and go. */
#include <stdint.h>

#include "tools/bench/programs/run.h"

/* @repeat rounds of @threads threads each, by @parallelism threads, under @breakpoints. */
struct bench_breakpoint_thread_params {
	uint64_t breakpoints, parallelism, threads;
};
bench_fn bench_breakpoint_thread;

/* A breakpoint that all threads have is switched off and on @repeat times. */
struct bench_breakpoint_enable_params {
	uint64_t passive, active; /* threads that sleep, and that run */
};
bench_fn bench_breakpoint_enable;
