/* SPDX-License-Identifier: MIT */
#pragma once
/* What benchmarks have measured, and how two machines differ, as JSON. */
#include <stdio.h>

struct bench_report;
struct compare;

/* bench_report_parse() reads it back. */
void bench_report_print_json(FILE *out, const struct bench_report *r);

void bench_compare_print_json(FILE *out, const struct bench_report *a, const struct bench_report *b,
			      const struct compare *c);
