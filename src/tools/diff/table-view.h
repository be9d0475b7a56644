/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a comparison of recordings (tools/diff/diff-model.h): for each event a title, the columns'
 * heads and the rows. The output is the same as Linux's perf's, byte for byte.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/diff/text-view.h"

struct diff;
struct report_plan;
struct text;

/* Prints the table of @event, the @nth from 0. Returns a negative errno if @out fails. */
int diff_print(FILE *out, const struct diff_view *v, const struct diff *d, const char *event,
	       size_t nth);

/* Appends the text above the table of @event, the @nth from 0. */
void diff_title_add(struct text *out, const struct diff_view *v, size_t n_sides, const char *event,
		    size_t nth);
