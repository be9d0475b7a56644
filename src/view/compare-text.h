/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A finished comparison of commands (profile/compare.h) for people: a table for each command that
 * is held against the baseline, what its signs mean, what is doubtful about the figures, and what
 * became of the limits (profile/threshold.h).
 *
 * Numbers have four digits and a point whatever the locale. Names are escaped for the terminal.
 */
#include <stdbool.h>
#include <stdio.h>

struct compare;
struct threshold_results;

struct compare_text_style {
	bool colour;
	bool ascii; /* +- and us, where ± and µs cannot be shown */
};

/* @limits may be empty. */
void compare_text_print(const struct compare *c, const struct threshold_results *limits,
			const struct compare_text_style *style, FILE *out);
