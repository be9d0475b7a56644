/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of several events side by side: the output of --group.
 *
 * Rows of the members with the same keys become one entry. A single event is a group of one, so
 * that views need not treat it differently. Rows are borrowed from the members.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/value.h"
#include "profile/report.h"

struct figure;

struct report_entry {
	const struct report_rows *rows;          /* the rows of the first member that has it */
	const struct report_row *row;            /* its row among @rows */
	const struct report_row *const *members; /* one row of each member; NULL: it has none */
	/* among all entries, by the values that tell them apart */
	uint32_t place;
};

struct report_group {
	const struct report_rows **members; /* the leader first */
	size_t n_members;
	size_t sort_by;               /* the member whose weights decide first */
	struct report_entry *entries; /* sorted */
	size_t n;
	/* private: */
	const struct report_row **slots;
};

/*
 * Makes the group of @members, which have the same options. @sort_by is the member whose weights
 * decide first (--group-sort-idx), if there is such a member; after it all members but the leader
 * decide, in their order.
 */
struct report_group *report_group_new(const struct report_rows *const *members, size_t n,
				      size_t sort_by);
void report_group_free(struct report_group *g);
DEFINE_FREEP(report_group)

/*
 * Returns figure @f of @member for @e: a count, or a share in percent. Returns none if it has no
 * meaning, as for callers, which have no weight unless they have rows.
 */
struct value report_group_figure(const struct report_group *g, const struct figure *f,
				 const struct report_entry *e, size_t member);

/* Returns the share of class @i of the breakdown @f, for @member of @e; in percent. */
double report_group_class(const struct report_group *g, const struct figure *f, size_t i,
			  const struct report_entry *e, size_t member);

/* True if any row has a share of that class. */
bool report_group_has_class(const struct report_group *g, const struct figure *f, size_t i);

/*
 * Returns the share of @e in all samples of the first member, in percent; with children, including
 * its callees.
 */
double report_entry_percent(const struct report_group *g, const struct report_entry *e);

/* True if that reaches the limit for rows to be shown. */
bool report_entry_is_shown(const struct report_group *g, const struct report_entry *e);

/*
 * Compares two entries by @order. If @keys is not NULL, it says, by number, which keys are
 * compared. Less than 0: @a stands above @b.
 */
struct entry_order {
	const struct row_order *order;
	size_t n_order;
	const bool *keys;
	size_t n_members, sort_by;
};
int report_entry_compare(const struct entry_order *o, const struct report_entry *a,
			 const struct report_entry *b);
