/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs threads that do the same work for a number of seconds, or until Ctrl-C; each counts its
 * operations.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

struct bench_timed_threads {
	size_t n;
	bool unbound; /* threads are not bound to one CPU each */
	/*
	 * The work of each thread, which gets its argument, of @size bytes. Returns when *@over is
	 * set.
	 */
	void (*work)(void *worker, volatile bool *over);
	void *workers;
	size_t size;
	/* Called once all threads run, and when the time is over; or NULL. */
	int (*begin)(void *arg, volatile bool *over, struct diag *diag);
	void (*end)(void *arg);
	void *arg;
};

/* Runs the threads; *@ret_seconds is the time they ran. Returns a negative errno with @diag. */
int bench_timed_run(const struct bench_timed_threads *t, uint64_t seconds, double *ret_seconds,
		    struct diag *diag);
