/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The results of several benchmarks in several runs, with the machine: `perf bench --json` writes
 * them and --compare reads them.
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
	char *options; /* the words typed after it; "" if none */
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

/* Fills in the machine, and the time. */
void bench_report_describe(struct bench_report *r);

/* Returns the entry of the benchmark @name with @options, which is added if it does not exist. */
struct bench_entry *bench_report_entry(struct bench_report *r, const char *name,
				       const char *options);

/* Appends the values of @result. */
void bench_entry_add(struct bench_entry *e, const struct bench_result *result);

const struct bench_series *bench_entry_find(const struct bench_entry *e, const char *name);

/*
 * Returns the mean of the values, and half the width of its 95 % confidence interval; 0 for fewer
 * than two values.
 */
double bench_series_mean(const struct bench_series *s, double *ret_half_width);

/* Parses the output of --json. -EBADMSG with @diag, in which @what is its name. */
int bench_report_parse(const char *bytes, size_t n, const char *what, struct bench_report *ret,
		       struct diag *diag);
