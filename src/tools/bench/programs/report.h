/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What several benchmarks gave in several runs, and on which machine: what `perf bench --json`
 * writes and --compare reads.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tools/bench/programs/result.h"

struct diag;

/* The values of one figure. */
struct bench_series {
	char *name, *unit;
	enum bench_better better;
	bool derived;
	double *items;
	size_t n, room;
};

struct bench_entry {
	char *name;    /* "sched/pipe" */
	char *options; /* what was typed behind it, "" without */
	struct bench_series *items;
	size_t n, room;
};

struct bench_report {
	char *host, *kernel, *machine, *date;
	unsigned cpus;
	struct bench_entry *items;
	size_t n, room;
};

void bench_report_done(struct bench_report *r);

/* Fills in what machine this is, and when. */
void bench_report_describe(struct bench_report *r);

/* The benchmark @name with @options; it is added if it is not there yet. */
struct bench_entry *bench_report_entry(struct bench_report *r, const char *name,
				       const char *options);

/* The values of @result, after those that are there. */
void bench_entry_add(struct bench_entry *e, const struct bench_result *result);

const struct bench_series *bench_entry_find(const struct bench_entry *e, const char *name);

/* Mean of the values, and half the width of its 95 % confidence interval; 0 for fewer than two. */
double bench_series_mean(const struct bench_series *s, double *ret_half_width);

/* Reads what --json has written. -EBADMSG with @diag; @what names it. */
int bench_report_parse(const char *bytes, size_t n, const char *what, struct bench_report *ret,
		       struct diag *diag);
