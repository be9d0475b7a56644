/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of perf's own parts. */
#include <stdbool.h>
#include <stdint.h>

#include "measure/target.h"
#include "tools/bench/programs/run.h"

struct bench_synthesize_params {
	uint64_t single_iterations, multi_iterations;
	uint64_t min_threads, max_threads; /* 0: the number of CPUs */
	bool single, multi;                /* neither: single */
};
bench_fn bench_internals_synthesize;

struct bench_iterations_params {
	uint64_t iterations;
};
bench_fn bench_internals_kallsyms_parse, bench_internals_pmu_scan;

struct bench_inject_params {
	uint64_t iterations, mmaps, samples;
	bool verbose;
};
bench_fn bench_internals_inject_build_id;

struct bench_evlist_params {
	uint64_t iterations, events;
	const char *event; /* NULL: dummy */
	struct target target;
};
bench_fn bench_internals_evlist_open_close;
