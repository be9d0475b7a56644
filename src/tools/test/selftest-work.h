/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Defines a self-test and its environment: `perf test` verifies an installation.
 *
 * A self-test is a row of a table (test/checks/): a name, the meaning of its failure for the user,
 * and one function or several cases. It runs in a process of its own, in an empty directory that is
 * removed afterwards. The text that it prints to @out, and the output of programs that it starts,
 * is its output, which is only shown on request or when the test fails. It ends with one of three
 * results:
 *
 *	return SELFTEST_OK;
 *	return selftest_skip(t, "no hardware counters: this is a virtual machine");
 *	return selftest_fail(t, "%llu samples, at least 100 were expected", n);
 *
 * A missing feature of the machine is a skip, with the package or setting that would help, and
 * never a failure. This header is independent of perf: the tests themselves are in test/checks/.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The values are the exit statuses of shell tests. */
enum selftest_outcome {
	SELFTEST_OK = 0,
	SELFTEST_FAILED = 1,
	SELFTEST_SKIP = 2,
};

#define SELFTEST_REASON_MAX 400

/* One run of one test, as the test sees it. */
struct selftest_run {
	FILE *out;           /* the output for details */
	const char *perf;    /* the perf to be verified: an absolute path */
	const char *objdump; /* --objdump, or NULL */
	const char *dso;     /* --dso, or NULL */
	char *reason;        /* a buffer of SELFTEST_REASON_MAX bytes */
};

typedef enum selftest_outcome selftest_fn(struct selftest_run *t);

struct selftest_case {
	const char *name;
	selftest_fn *run;
};

enum {
	SELFTEST_ALONE = 1 << 0, /* not in parallel: it measures time, or all CPUs */
};

struct selftest {
	const char *name;
	const char *why;                   /* the meaning of a failure: one sentence */
	selftest_fn *run;                  /* NULL: it has cases */
	const struct selftest_case *cases; /* the last has no name; or NULL */
	unsigned flags;
};

/* Each prints the sentence, keeps it as the reason and returns the outcome with its name. */
enum selftest_outcome selftest_skip(struct selftest_run *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
enum selftest_outcome selftest_fail(struct selftest_run *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
