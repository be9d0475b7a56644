/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs the selected tests of a plan: those that may, side by side, then those that want the machine
 * for themselves, one after the other. A test that crashes or does not end fails; the others go on.
 */
#include <signal.h>
#include <stdbool.h>

#include "tools/test/plan-work.h"

struct progress;

struct selftest_options {
	const char *perf, *objdump, *dso;  /* for the tests */
	unsigned jobs;                     /* how many side by side */
	bool in_process;                   /* -F: no process for each; then one after the other */
	unsigned limit_seconds;            /* of a test */
	unsigned script_limit_seconds;     /* of a shell test */
	const volatile sig_atomic_t *stop; /* becomes 1 when nobody waits any more */
	struct progress *progress;         /* or NULL */
	/* Called in the order of the list, as soon as the result of @row and all before it are
	 * known.
	 */
	void (*finished)(const struct selftest_row *row, const struct selftest_result *result,
			 void *arg);
	void *arg;
};

/* 0, or -EINTR: it was stopped. Results of tests that did not end are not `finished`. */
int selftest_run_plan(struct selftest_plan *p, const struct selftest_options *o);
