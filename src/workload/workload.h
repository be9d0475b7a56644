/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Small programs to be measured, whose functions are known: `perf test -w NAME`.
 *
 * The names, and those of the functions that take the time, are the ones that scripts of Linux's
 * perf look for.
 */
#include <signal.h>

struct test_workload {
	const char *name;
	const char *summary;
	/* @seconds: how long. 0, or a negative errno. */
	int (*run)(unsigned seconds);
};

/* All of them; the last has no name. */
extern const struct test_workload *const test_workloads[];

/* The one of that name; NULL: there is none. */
const struct test_workload *test_workload_find(const char *name);

extern const struct test_workload test_workload_noploop, test_workload_thloop,
	test_workload_leafloop, test_workload_sqrtloop;

/* Becomes 1 after @seconds, or on Ctrl-C. There is one clock: SIGALRM. */
extern volatile sig_atomic_t test_workload_is_over;
int test_workload_set_end(unsigned seconds);
