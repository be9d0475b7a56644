/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows within rows: what --hierarchy shows.
 *
 * A row of a level stands for all entries of the group that agree in the keys of this level and of
 * those above it, and weighs what they weigh together. The rows of the last level are the entries.
 */
#include <stddef.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "profile/report-group.h"

struct report_plan;

struct hierarchy_row {
	/* Of an inner row: sums, beside the values of keys that an entry below it has. */
	struct report_entry entry;
	struct hierarchy_row *children; /* sorted */
	size_t n_children;
	size_t place; /* private */
};

struct report_hierarchy {
	struct hierarchy_row *rows; /* of the outermost level, sorted */
	size_t n;
	struct arena arena;
};

/* The hierarchy of @g by the levels of @plan. */
struct report_hierarchy *report_hierarchy_new(const struct report_group *g,
					      const struct report_plan *plan);
void report_hierarchy_free(struct report_hierarchy *h);
DEFINE_FREEP(report_hierarchy)
