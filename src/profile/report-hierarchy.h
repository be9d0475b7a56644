/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows within rows: the output of --hierarchy.
 *
 * A row of a level stands for all entries of the group that agree in the keys of this level and of
 * the levels above it, and has their total weight. The rows of the last level are the entries.
 */
#include <stddef.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "profile/report-group.h"

struct report_plan;

struct hierarchy_row {
	/* For an inner row: sums, with the key values of one of the entries below it. */
	struct report_entry entry;
	struct hierarchy_row *children; /* sorted */
	size_t n_children;
	size_t place; /* private */
};

struct report_hierarchy {
	struct hierarchy_row *rows; /* the rows of the outermost level, sorted */
	size_t n;
	struct arena arena;
};

/* Makes the hierarchy of @g with the levels of @plan. */
struct report_hierarchy *report_hierarchy_new(const struct report_group *g,
					      const struct report_plan *plan);
void report_hierarchy_free(struct report_hierarchy *h);
DEFINE_FREEP(report_hierarchy)
