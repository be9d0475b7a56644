/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the result of a benchmark in the form of Linux's perf. */
#include <stdbool.h>
#include <stdio.h>

struct bench_entry;
struct bench_result;

/* Prints one run. @simple: in the form of --format simple, which may be the same. */
void bench_print(FILE *out, const struct bench_result *r, bool simple);

/* Prints the means of several runs, with their confidence intervals. */
void bench_print_means(FILE *out, const struct bench_entry *e);
