/* SPDX-License-Identifier: MIT */
#pragma once
/* What a benchmark has measured, as Linux's perf prints it. */
#include <stdbool.h>
#include <stdio.h>

struct bench_entry;
struct bench_result;

/* One run. @simple: what --format simple prints of it, which may be the same. */
void bench_print(FILE *out, const struct bench_result *r, bool simple);

/* The means of several runs, with their confidence intervals. */
void bench_print_means(FILE *out, const struct bench_entry *e);
