/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A benchmark of memory on several nodes: processes and threads that work on memory they share or
 * own, bound to CPUs and nodes or left to the scheduler.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

struct bench_numa_params {
	const char *words; /* the options as typed, for the output */
	const char *cpus, *nodes;
	uint64_t processes, threads;
	uint64_t mb_global, mb_process, mb_locked, mb_thread;
	int64_t loops; /* below 0: no limit */
	uint64_t seconds, usleep, perturb_seconds;
	int64_t thp;
	bool all; /* run the suite, whatever other options say */
	bool zero_memset, reads, writes, backwards, random_walk;
	bool init_zero, init_random, init_cpu0, serialize;
	bool show_details, show_convergence, measure_convergence, quiet;
};

/* The values that 6.1 uses without options. */
#define BENCH_NUMA_DEFAULT                                                                         \
	{                                                                                          \
		.words = "", .processes = 1, .threads = 1, .mb_global = 1, .loops = -1,            \
		.seconds = 5, .writes = true, .backwards = true, .random_walk = true,              \
		.init_random = true                                                                \
	}

bench_fn bench_numa_mem;

struct bench_numa_run;

/*
 * Makes one run. -ENOSYS with *@ret giving the reason why this machine cannot do it; other errors
 * with @diag.
 */
int bench_numa_run_once(const struct bench_numa_params *p, struct bench_numa_run *ret,
			struct diag *diag);

/* The runs of the suite; the last has no name. */
struct bench_numa_test {
	const char *name, *tasks; /* "-p 1 -t 1 -P 1024 -C 0 -M 0" */
	enum {
		BENCH_NUMA_RAM,
		BENCH_NUMA_CONVERGENCE,
		BENCH_NUMA_BANDWIDTH
	} kind;
	bool no_thp;
};
extern const struct bench_numa_test bench_numa_suite[];

/*
 * Gets the parameters of @t; *@ret_line is the command line for them. The caller frees the texts.
 */
void bench_numa_test_params(const struct bench_numa_test *t, struct bench_numa_params *ret,
			    char **ret_line);
