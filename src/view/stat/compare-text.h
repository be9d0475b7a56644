/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a finished comparison of commands (base/compare.h) for users: a table for each command
 * that is compared with the baseline, the meaning of its signs, doubts about the figures, and the
 * results of the limits (profile/threshold.h).
 *
 * Numbers have four digits and a point whatever the locale. Names are escaped for the terminal.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct compare;
struct threshold_results;

struct compare_text_style {
	bool colour;
	bool ascii; /* print +- and us, because ± and µs are not available */
};

/* Returns the stars of a significant difference: ***, ** or *. */
const char *compare_mark(double p);

/* @limits may be empty. */
void compare_text_print(const struct compare *c, const struct threshold_results *limits,
			const struct compare_text_style *style, FILE *out);

/*
 * The parts of the output, for views with further contents: the table of the first @n_rows rows of
 * @command against the baseline, with @margin (two columns) before each line; and the limits.
 */
void compare_text_print_table(const struct compare *c, size_t n_rows, size_t command,
			      const struct compare_text_style *style, const char *margin,
			      FILE *out);
void compare_text_print_limits(const struct threshold_results *limits,
			       const struct compare_text_style *style, FILE *out);
