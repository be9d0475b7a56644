/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the results of benchmarks, and the differences of two machines, as JSON. */
#include <stdio.h>

struct bench_report;
struct compare;

/* Prints a report in the form that bench_report_parse() reads. */
void bench_report_print_json(FILE *out, const struct bench_report *r);

void bench_compare_print_json(FILE *out, const struct bench_report *a, const struct bench_report *b,
			      const struct compare *c);
