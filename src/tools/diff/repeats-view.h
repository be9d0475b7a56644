/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a comparison of sides with several recordings each (tools/diff/repeats-model.h): how the
 * whole changed, then the rows, those with shown differences first, with the confidence interval of
 * each difference; and below them the meaning of the signs. All lines except rows begin with '#'.
 */
#include <stdio.h>

#include "tools/diff/table-view.h"

struct diff_fleet;
struct diff_repeats;

/*
 * Prints the comparison of @event, the @nth from 0. @v's files are those of the sides, as typed.
 * For a fleet, @f has its hosts; NULL: recordings are compared. Returns a negative errno if @out
 * fails.
 */
int diff_repeats_print(FILE *out, const struct diff_view *v, const struct diff_repeats *r,
		       const struct diff_fleet *f, const char *event, size_t nth);
