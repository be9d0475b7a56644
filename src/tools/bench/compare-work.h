/* SPDX-License-Identifier: MIT */
#pragma once
/* Compares two reports of benchmarks. */

struct bench_report;
struct compare;
struct notes;

/*
 * Makes rows for the figures that both reports have. Figures that only one has, or that were
 * measured with other options, are left out, with a note. The caller frees the result.
 */
struct compare *bench_compare(const struct bench_report *a, const struct bench_report *b,
			      struct notes *notes);
