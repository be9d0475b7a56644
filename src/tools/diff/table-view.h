/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A comparison of recordings (tools/diff/diff-model.h) as text: for each event a title, the
 * columns' heads and the rows. The characters are those of Linux's perf, byte for byte.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/diff/text-view.h"

struct diff;
struct report_plan;
struct text;

/* Prints the table of @event, the @nth from 0. A negative errno if @out fails. */
int diff_print(FILE *out, const struct diff_view *v, const struct diff *d, const char *event,
	       size_t nth);

/* Appends what stands above the table of @event, the @nth from 0. */
void diff_title_add(struct text *out, const struct diff_view *v, size_t n_sides, const char *event,
		    size_t nth);
