/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads that do the same for a number of seconds, or until Ctrl-C: each counts what it has done.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

struct bench_timed_threads {
	size_t n;
	bool unbound; /* not one CPU each */
	/* Each thread: gets its argument, which is @size bytes. Returns when *@over is set. */
	void (*work)(void *worker, volatile bool *over);
	void *workers;
	size_t size;
	/* Once all threads run; and when the time is over. Or NULL. */
	int (*begin)(void *arg, volatile bool *over, struct diag *diag);
	void (*end)(void *arg);
	void *arg;
};

/* Runs them; *@ret_seconds is how long it was. A negative errno with @diag. */
int bench_timed_run(const struct bench_timed_threads *t, uint64_t seconds, double *ret_seconds,
		    struct diag *diag);
