/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the basic blocks of recordings and how their cycles changed (tools/diff/cycles-model.h): a
 * row for each block, with the share of its function in front.
 */
#include <stdio.h>

#include "tools/diff/table-view.h"

struct diff_cycles;

/*
 * Prints the blocks of @event, the @nth from 0; with @histograms also how much their cycles vary.
 * Returns a negative errno if @out fails.
 */
int diff_cycles_print(FILE *out, const struct diff_view *v, const struct diff_cycles *c,
		      bool histograms, const char *event, size_t nth);
