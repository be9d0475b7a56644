/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What self-tests are made of: running perf and other programs, opening events, and telling what a
 * machine lacks (a skip) from what is broken (a failure).
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
 * Runs a program, found along PATH, and waits for it. What it writes to standard output is kept in
 * @ret_out (unless NULL, emptied first); that and its errors are in the test's output. Its exit
 * status; 128 and the signal; or a negative errno.
 */
int kit_run(struct selftest_run *t, struct text *ret_out, const char *const *words);
/* The same for the perf that is tested. */
int kit_perf(struct selftest_run *t, struct text *ret_out, const char *const *words);
#define RUN(t, out, ...)  kit_run(t, out, (const char *const[]){ __VA_ARGS__, NULL })
#define PERF(t, out, ...) kit_perf(t, out, (const char *const[]){ __VA_ARGS__, NULL })

/* How often @part is in @text; the number before the first @label that has one, or -1. */
size_t kit_count(const struct text *text, const char *part);
double kit_number_before(const struct text *text, const char *label);

/* Skips with what @d says, and the first line of its hint. */
enum selftest_outcome kit_skip_diag(struct selftest_run *t, const struct diag *d);

/*
 * Opens @attr, called @name. Where this machine, kernel or user cannot, it is a skip that says what
 * helps.
 */
enum selftest_outcome kit_open(struct selftest_run *t, const struct attr *attr, const char *name,
			       pid_t pid, int cpu, int *ret_fd);

/* Skips unless this user may count and sample own programs in user mode. */
enum selftest_outcome kit_need_events(struct selftest_run *t);

/* Skips unless all of the machine may be measured: root, CAP_PERFMON or paranoid -1. */
enum selftest_outcome kit_need_whole_machine(struct selftest_run *t);

/* Skips unless tracepoints can be read and used. */
enum selftest_outcome kit_need_tracefs(struct selftest_run *t, struct tracefs **ret);

/* Skips unless the user is root. @for_what completes "only root may ". */
enum selftest_outcome kit_need_root(struct selftest_run *t, const char *for_what);

/* Skips unless there are hardware counters. */
enum selftest_outcome kit_need_pmu(struct selftest_run *t);

/* A count of @fd; UINT64_MAX if it cannot be read. */
uint64_t kit_read_count(int fd);

/* Uses CPU time in user mode for about @ms milliseconds of it. */
void kit_spin(unsigned ms);
