/* SPDX-License-Identifier: MIT */
#pragma once
/* The rows of a histogram as filters of the kernel: one event counts each row. */
#include <stddef.h>

struct field_ref;
struct histogram;

/*
 * Returns the condition that the field @name, whose position is @f, has a value of row @row: "" if
 * it always has, NULL if it never can. The caller frees it.
 *
 * The kernel truncates a number to the size of the field before it compares them, so bounds that
 * the field cannot reach are left out.
 */
char *hist_row_condition(const struct histogram *h, size_t row, const char *name,
			 const struct field_ref *f);

/* Returns @condition joined with the user's @filter, if there is one. The caller frees it. */
char *hist_join_filters(const char *filter, const char *condition);
