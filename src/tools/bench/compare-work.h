/* SPDX-License-Identifier: MIT */
#pragma once
/* Two reports of benchmarks held against each other. */

struct bench_report;
struct compare;
struct notes;

/*
 * Rows for the figures that both have. What only one has, or was measured with other options, is
 * left out, with a note. The caller frees the result.
 */
struct compare *bench_compare(const struct bench_report *a, const struct bench_report *b,
			      struct notes *notes);
