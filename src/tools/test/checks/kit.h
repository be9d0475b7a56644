/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Helpers for self-tests: run perf and other programs, open events, and distinguish a missing
 * feature of the machine (a skip) from a defect (a failure).
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "tools/test/selftest-work.h"
#include "wire/attr.h"

struct tracefs;

/* Ends the test unless @cond holds. */
#define EXPECT(t, cond, ...)                                                                       \
	do {                                                                                       \
		if (!(cond))                                                                       \
			return selftest_fail(t, __VA_ARGS__);                                      \
	} while (0)

/* Ends the test with the outcome of @expr, unless that is SELFTEST_OK. */
#define NEED(expr)                                                                                 \
	do {                                                                                       \
		enum selftest_outcome outcome_ = (expr);                                           \
		if (outcome_ != SELFTEST_OK)                                                       \
			return outcome_;                                                           \
	} while (0)

/*
 * Runs a program, found along PATH, and waits for it. Its standard output is kept in @ret_out
 * (unless NULL; emptied first); standard output and standard error are also in the test's output.
 * Returns its exit status, 128 plus the signal, or a negative errno.
 */
int kit_run(struct selftest_run *t, struct text *ret_out, const char *const *words);
/* Does the same for the perf that is tested. */
int kit_perf(struct selftest_run *t, struct text *ret_out, const char *const *words);
#define RUN(t, out, ...)  kit_run(t, out, (const char *const[]){ __VA_ARGS__, NULL })
#define PERF(t, out, ...) kit_perf(t, out, (const char *const[]){ __VA_ARGS__, NULL })

/*
 * kit_count() returns the number of times that @part occurs in @text. kit_number_before() returns
 * the number in front of the first @label that has one, or -1.
 */
size_t kit_count(const struct text *text, const char *part);
double kit_number_before(const struct text *text, const char *label);

/* Skips with the message of @d, and the first line of its hint. */
enum selftest_outcome kit_skip_diag(struct selftest_run *t, const struct diag *d);

/*
 * Opens @attr, whose name is @name. If this machine, kernel or user cannot do that, the test is
 * skipped with advice.
 */
enum selftest_outcome kit_open(struct selftest_run *t, const struct attr *attr, const char *name,
			       pid_t pid, int cpu, int *ret_fd);

/* Skips unless this user may count and sample own programs in user mode. */
enum selftest_outcome kit_need_events(struct selftest_run *t);

/* Skips unless the whole machine may be measured: root, CAP_PERFMON or paranoid -1. */
enum selftest_outcome kit_need_whole_machine(struct selftest_run *t);

/* Skips unless tracepoints can be read and used. */
enum selftest_outcome kit_need_tracefs(struct selftest_run *t, struct tracefs **ret);

/* Skips unless the user is root. @for_what completes "only root may ". */
enum selftest_outcome kit_need_root(struct selftest_run *t, const char *for_what);

/* Skips unless there are hardware counters. */
enum selftest_outcome kit_need_pmu(struct selftest_run *t);

/* Returns the count of @fd, or UINT64_MAX if it cannot be read. */
uint64_t kit_read_count(int fd);

/* Uses about @ms milliseconds of CPU time in user mode. */
void kit_spin(unsigned ms);
