/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a comparison of recordings (tools/diff/repeats-model.h) as one JSON document: for each
 * event the sides, the whole and every row, and the results of the limits. Rows are those of
 * view/stat/compare-json.h with the values of their keys.
 */
#include <stddef.h>
#include <stdio.h>

struct diff_fleet;
struct diff_repeats;
struct report_plan;
struct threshold_results;

struct diff_json_event {
	const char *name;
	const struct diff_repeats *repeats;
	const struct diff_fleet *fleet;         /* NULL: recordings are compared, not hosts */
	const struct threshold_results *limits; /* may be empty */
};

/* Prints the document. @plan is that of the baseline: its keys are members of the rows. */
void diff_json_print(FILE *out, const struct report_plan *plan,
		     const struct diff_json_event *events, size_t n);
