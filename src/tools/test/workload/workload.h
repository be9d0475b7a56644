/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Small programs with known functions, to be measured: `perf test -w NAME`.
 *
 * Their names, and those of the functions that take the time, are the ones that scripts of Linux's
 * perf look for.
 */
#include <signal.h>
#include <stdbool.h>

#define WORKLOAD_NUMBERS_MAX 2

/* A number that may follow the name on the command line. */
struct test_workload_number {
	const char *what; /* "seconds"; NULL: there is no such number */
	double usual;     /* the default */
	double least, most;
	bool is_whole;
};

/* 0: no limit. */
#define WORKLOAD_SECONDS                                                                           \
	{                                                                                          \
		.what = "seconds", .usual = 1, .least = 0, .most = 1e6                             \
	}
#define WORKLOAD_COUNT(text, n, max)                                                               \
	{                                                                                          \
		.what = (text), .usual = (n), .least = 1, .most = (max), .is_whole = true          \
	}

struct test_workload {
	const char *name;
	const char *summary;
	struct test_workload_number numbers[WORKLOAD_NUMBERS_MAX];
	/*
	 * Runs the program. @numbers are those that were typed, in that order. Returns 0, or a
	 * negative errno.
	 */
	int (*run)(const double *numbers);
};

/* A function whose instructions have the order of its lines. */
#ifdef __clang__
#define WORKLOAD_AS_WRITTEN __attribute__((noinline, optnone))
#else
#define WORKLOAD_AS_WRITTEN __attribute__((noinline, optimize("O0")))
#endif

/* All workloads; the last has no name. */
extern const struct test_workload *const test_workloads[];

/* Returns the workload with that name. NULL: there is none. */
const struct test_workload *test_workload_find(const char *name);

extern const struct test_workload test_workload_noploop, test_workload_thloop,
	test_workload_named_threads, test_workload_leafloop, test_workload_sqrtloop,
	test_workload_brstack, test_workload_datasym, test_workload_landlock,
	test_workload_traploop, test_workload_inlineloop, test_workload_jitdump,
	test_workload_context_switch_loop, test_workload_deterministic;

/* Becomes 1 after @seconds, or on Ctrl-C. There is only one clock: SIGALRM. */
extern volatile sig_atomic_t test_workload_is_over;
int test_workload_set_end(double seconds);
