/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The plan of a table scan, as agreed with SQLite's planner (xBestIndex), and the scan itself.
 *
 * Rows lie in order of time, so a range of time is found by bisection. A column with one value is
 * found in an index of rows ordered by that column. All other conditions on numbers and names are
 * checked row by row. SQLite checks every condition again, so a scan may return too many rows, but
 * never too few.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/query/rows-work.h"

#define PLAN_CONDITIONS_MAX 16

enum plan_operator {
	PLAN_EQUAL,
	PLAN_ABOVE, /* greater than, or equal to */
	PLAN_BELOW,
};

struct plan_condition {
	int column;
	enum plan_operator op;
};

struct scan_plan {
	/* their values are passed in this order */
	struct plan_condition conditions[PLAN_CONDITIONS_MAX];
	size_t n_conditions;
	bool looks_up; /* some condition is PLAN_EQUAL: rows are looked up by it */
	struct order_term order[ORDER_TERMS_MAX];
	size_t n_order; /* 0: no particular order */
	bool grouped;   /* it suffices that rows with equal values are adjacent */
};

/* The value with which a column is compared. */
enum bound_kind {
	BOUND_NONE,   /* no row is equal to it, above or below it */
	BOUND_ANY,    /* cannot be decided here: every row is accepted */
	BOUND_NUMBER, /* between @low and @high */
	BOUND_TEXT,
};

struct plan_bound {
	enum bound_kind kind;
	int64_t low, high;
	const char *text;
	size_t length;
};

struct row_check {
	int column;
	int64_t low, high;
};

struct scan {
	const struct rows *rows;
	const uint32_t *list; /* the order of the rows; NULL: the stored order */
	size_t first, end;    /* the rest of the scan */
	bool backwards;
	struct row_check checks[PLAN_CONDITIONS_MAX];
	size_t n_checks;
};

/* Begins a scan of @rows with @plan, whose conditions have @bounds. */
void scan_begin(struct scan *s, struct rows *rows, const struct scan_plan *plan,
		const struct plan_bound *bounds);

/* scan_has_row() is true if there is a row; the others return it and go to the next one. */
static inline bool scan_has_row(const struct scan *s)
{
	return s->first < s->end;
}

static inline size_t scan_row(const struct scan *s)
{
	size_t at = s->backwards ? s->end - 1 : s->first;

	return s->list ? s->list[at] : at;
}

void scan_next(struct scan *s);
