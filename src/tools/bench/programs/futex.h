/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of futex(2). */
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

/* The parameters that all futex benchmarks have. */
struct bench_futex_params {
	uint64_t threads; /* 0: one for each CPU */
	bool lock_memory, shared, silent;
	int64_t buckets; /* size of the process's own hash; below 0: the kernel's default */
};

struct bench_futex_hash_params {
	struct bench_futex_params common;
	uint64_t futexes, seconds;
};
bench_fn bench_futex_hash;

struct bench_futex_wake_params {
	struct bench_futex_params common;
	uint64_t at_a_time;
};
bench_fn bench_futex_wake;

struct bench_futex_wake_parallel_params {
	struct bench_futex_params common;
	uint64_t wakers; /* 0: one for each thread */
};
bench_fn bench_futex_wake_parallel;

struct bench_futex_requeue_params {
	struct bench_futex_params common;
	uint64_t at_a_time;
	bool broadcast, pi;
};
bench_fn bench_futex_requeue;

struct bench_futex_lock_pi_params {
	struct bench_futex_params common;
	uint64_t seconds;
	bool multi;
};
bench_fn bench_futex_lock_pi;
