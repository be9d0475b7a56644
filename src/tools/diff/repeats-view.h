/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A comparison of sides with several recordings each (tools/diff/repeats-model.h), for people: how
 * the whole changed, then the rows, those that were shown to differ first, with the interval that
 * each difference lies in; below, what the signs mean. All but rows begins with '#'.
 */
#include <stdio.h>

#include "tools/diff/table-view.h"

struct diff_fleet;
struct diff_repeats;

/* Prints the comparison of @event, the @nth from 0. @v's files are those of the sides, as they were
 * typed. Of a fleet, @f tells of its hosts; NULL: recordings are compared. A negative errno if @out
 * fails. */
int diff_repeats_print(FILE *out, const struct diff_view *v, const struct diff_repeats *r,
		       const struct diff_fleet *f, const char *event, size_t nth);
