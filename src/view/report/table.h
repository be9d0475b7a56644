/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a report as text: for each event, or group of events, a title, the columns' heads and the
 * rows with their call trees.
 *
 * The characters are those of Linux's perf, byte for byte. Text goes to the stream in large pieces.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "view/report/report-view.h"

struct report_group;
struct report_plan;
struct report_title;
struct report_tree_options;
struct workers;

/* Prints all blocks of @v. Returns a negative errno if @out fails. */
int report_print(FILE *out, const struct report_view *v);
