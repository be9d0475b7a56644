/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A finished comparison of commands (base/compare.h) for people: a table for each command that
 * is held against the baseline, what its signs mean, what is doubtful about the figures, and what
 * became of the limits (profile/threshold.h).
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
	bool ascii; /* +- and us, where ± and µs cannot be shown */
};

/* The stars of a difference that is significant: ***, ** or *. */
const char *compare_mark(double p);

/* @limits may be empty. */
void compare_text_print(const struct compare *c, const struct threshold_results *limits,
			const struct compare_text_style *style, FILE *out);

/*
 * The parts of it, for views that have more to say: the table of the first @n_rows rows of @command
 * against the baseline, with @margin (two columns) before each line; and the limits.
 */
void compare_text_print_table(const struct compare *c, size_t n_rows, size_t command,
			      const struct compare_text_style *style, const char *margin,
			      FILE *out);
void compare_text_print_limits(const struct threshold_results *limits,
			       const struct compare_text_style *style, FILE *out);
