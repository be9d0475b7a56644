/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The numbered list of tests, the selection of tests to run, and their results: the model of `perf
 * test`.
 *
 * A suite is a test of the list: number N. Its rows are run: the suite itself, or its cases N.1,
 * N.2, ... Numbers do not depend on the selection.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tools/test/selftest-work.h"

/* One run of a row. */
struct selftest_result {
	bool finished;
	enum selftest_outcome outcome;
	char *reason;       /* the reason of a skip or failure; "" if none was given */
	struct text output; /* its output, truncated after some length */
	double seconds;
	int pid;
};

struct selftest_row {
	unsigned suite;   /* the suite's index */
	unsigned number;  /* the case's number in the suite; 0: the suite itself */
	const char *name; /* borrowed from the suite */
	selftest_fn *run; /* NULL: a shell test */
	bool selected;
	bool passed_over;                /* left out because of -s */
	struct selftest_result *results; /* one for each run; NULL until the number is known */
};

struct selftest_suite {
	unsigned number; /* counted from 1 */
	char *name;
	const char *why;
	char *script; /* a shell test's path, or NULL */
	unsigned flags;
	size_t first, n; /* the range of its rows */
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
	unsigned runs; /* the number of results of each row */
};

void selftest_plan_done(struct selftest_plan *p);

/* Appends @tests (the last has no name), which must outlive the plan. Nothing is selected. */
void selftest_plan_add(struct selftest_plan *p, const struct selftest *const *tests);

/* Appends a shell test; the strings are copied. */
void selftest_plan_add_script(struct selftest_plan *p, const char *name, const char *path,
			      unsigned flags);

/* Allocates the results of @runs runs of each row. */
void selftest_plan_set_runs(struct selftest_plan *p, unsigned runs);

/* True if any row of @s is selected. */
bool selftest_suite_selected(const struct selftest_plan *p, const struct selftest_suite *s);

/* The numbers of results, over all runs. */
struct selftest_totals {
	size_t passed_suites, passed_cases, skipped, failed, unfinished;
	double seconds;
};

struct selftest_totals selftest_plan_totals(const struct selftest_plan *p);
