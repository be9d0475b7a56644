/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How a scan of a table goes, as SQLite's planner has agreed to it (xBestIndex), and the scan.
 *
 * Rows lie in order of time, so a range of time is found by bisection; a column with one value is
 * found in an order of rows by that column. All other conditions on numbers and names are checked
 * row by row. SQLite checks every condition again, so a scan may give too many rows, and never too
 * few.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/query/rows-work.h"

#define PLAN_CONDITIONS_MAX 16

enum plan_operator {
	PLAN_EQUAL,
	PLAN_ABOVE, /* greater, or equal */
	PLAN_BELOW,
};

struct plan_condition {
	int column;
	enum plan_operator op;
};

struct scan_plan {
	struct plan_condition conditions[PLAN_CONDITIONS_MAX]; /* values follow in this order */
	size_t n_conditions;
	bool looks_up; /* some condition is PLAN_EQUAL: rows of that value are looked up */
	struct order_term order[ORDER_TERMS_MAX];
	size_t n_order; /* 0: in any order */
	bool grouped;   /* rows with equal values need only stand together */
};

/* What a column is compared with. */
enum bound_kind {
	BOUND_NONE,   /* nothing is equal to it, above or below */
	BOUND_ANY,    /* that cannot be told here: every row passes */
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
	const uint32_t *list; /* NULL: the rows as they are */
	size_t first, end;    /* what is left of it */
	bool backwards;
	struct row_check checks[PLAN_CONDITIONS_MAX];
	size_t n_checks;
};

/* Begins a scan of @rows by @plan, whose conditions have @bounds. */
void scan_begin(struct scan *s, struct rows *rows, const struct scan_plan *plan,
		const struct plan_bound *bounds);

/* Is there a row? If so: which; and the next one. */
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
