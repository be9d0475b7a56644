/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A comparison of recordings (tools/diff/diff-model.h) as text: for each event a title, the
 * columns' heads and the rows. The characters are those of Linux's perf, byte for byte.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct diff;
struct report_plan;
struct text;

struct diff_view {
	const struct report_plan *plan; /* the baseline's: its keys are the last columns */
	const char *const *files;       /* by side */
	const char *separator;          /* -t; NULL: columns are aligned */
	bool narrow_images;             /* as in struct report_view */
	bool periods;                   /* -p */
	bool formulas;                  /* -F */
	bool quiet;                     /* -q: rows only */
	bool lists_files;               /* which the sides are, even if there are but two */
	bool escape;                    /* the output is a terminal: names must not act on it */
	bool colour;
	bool ascii;       /* +- in the place of a sign that cannot be shown */
	unsigned columns; /* as in struct report_view: names are shortened to fit these, or 0 */
	const char *dots;
};

/* Prints the table of @event, the @nth from 0. A negative errno if @out fails. */
int diff_print(FILE *out, const struct diff_view *v, const struct diff *d, const char *event,
	       size_t nth);

/* Appends what stands above the table of @event, the @nth from 0. */
void diff_title_add(struct text *out, const struct diff_view *v, size_t n_sides, const char *event,
		    size_t nth);
