/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The numbered list of tests, which of them are to run, and how they ended: the model of `perf
 * test`.
 *
 * A suite is a test of the list: number N. Its rows are what runs: the suite itself, or its cases
 * N.1, N.2, ... Numbers do not depend on what is selected.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tools/test/selftest-work.h"

/* One time that a row ran. */
struct selftest_result {
	bool finished;
	enum selftest_outcome outcome;
	char *reason;       /* why it was skipped or failed; "" if nothing was said */
	struct text output; /* what it printed, cut after some length */
	double seconds;
	int pid;
};

struct selftest_row {
	unsigned suite;   /* index */
	unsigned number;  /* of the case within the suite; 0: the suite itself */
	const char *name; /* borrowed from the suite */
	selftest_fn *run; /* NULL: a shell test */
	bool selected;
	bool passed_over;                /* by -s */
	struct selftest_result *results; /* one for each run; NULL until it is known how many */
};

struct selftest_suite {
	unsigned number; /* from 1 */
	char *name;
	const char *why;
	char *script; /* of a shell test, or NULL */
	unsigned flags;
	size_t first, n; /* rows */
	bool has_cases;
};

struct selftest_plan {
	struct {
		struct selftest_suite *items;
		size_t n, room;
	} suites;
	struct {
		struct selftest_row *items;
		size_t n, room;
	} rows;
	unsigned runs; /* results of each row */
};

void selftest_plan_done(struct selftest_plan *p);

/* Appends @tests (the last has no name), which must outlive the plan. Nothing is selected. */
void selftest_plan_add(struct selftest_plan *p, const struct selftest *const *tests);

/* Appends a shell test; the strings are copied. */
void selftest_plan_add_script(struct selftest_plan *p, const char *name, const char *path,
			      unsigned flags);

/* Makes room for the results of @runs runs of each row. */
void selftest_plan_set_runs(struct selftest_plan *p, unsigned runs);

/* Whether any row of @s is selected. */
bool selftest_suite_selected(const struct selftest_plan *p, const struct selftest_suite *s);

/* How they ended, all runs together. */
struct selftest_totals {
	size_t passed_suites, passed_cases, skipped, failed, unfinished;
	double seconds;
};

struct selftest_totals selftest_plan_totals(const struct selftest_plan *p);
