/* SPDX-License-Identifier: MIT */
#pragma once
/* Shows how the benchmarks of two machines, or kernels, differ. */
#include <stdio.h>

struct bench_report;
struct compare;

/* Prints a row for each figure; the last line says how many differ. */
void bench_compare_print(FILE *out, const struct bench_report *a, const struct bench_report *b,
			 const struct compare *c);
