/* SPDX-License-Identifier: MIT */
#include "tools/query/plan-work.h"

/* Computes the range of numbers, or codes, that satisfy condition @i. False: no row does. */
static bool query_plan_range_of(struct rows *rows, const struct scan_plan *p, size_t i,
				const struct plan_bound *b, struct row_check *ret)
{
	const struct plan_condition *c = &p->conditions[i];
	int64_t code;

	*ret = (struct row_check){ c->column, INT64_MIN, INT64_MAX };
	if (b->kind == BOUND_NONE)
		return false;
	if (rows_is_text(rows, c->column)) {
		if (b->kind != BOUND_TEXT || c->op != PLAN_EQUAL)
			return true;
		code = rows_code(rows, c->column, b->text, b->length);
		ret->low = ret->high = code;
		return code >= 0;
	}
	if (b->kind != BOUND_NUMBER)
		return true;
	if (c->op != PLAN_BELOW)
		ret->low = b->low;
	if (c->op != PLAN_ABOVE)
		ret->high = b->high;
	return true;
}

static bool is_everything(const struct row_check *c)
{
	return c->low == INT64_MIN && c->high == INT64_MAX;
}

/* Narrows the scan to the rows in the range of @c. The rows must be in order of its column. */
static void query_plan_narrow(struct scan *s, const struct row_check *c)
{
	size_t n = s->end;
	const uint32_t *list = s->list;
	size_t first = rows_bound(s->rows, c->column, list, n, c->low);

	if (c->high < INT64_MAX)
		s->end = rows_bound(s->rows, c->column, list, n, c->high + 1);
	if (first > s->first)
		s->first = first;
	if (s->first > s->end)
		s->first = s->end;
}

static bool query_plan_passes(const struct scan *s, size_t row)
{
	for (size_t i = 0; i < s->n_checks; i++) {
		const struct row_check *c = &s->checks[i];
		int64_t value;

		if (!rows_number(s->rows, c->column, row, &value) || value < c->low ||
		    value > c->high)
			return false;
	}
	return true;
}

/* Skips rows that fail a check. */
static void query_plan_settle(struct scan *s)
{
	if (!s->n_checks)
		return;
	while (scan_has_row(s) && !query_plan_passes(s, scan_row(s))) {
		if (s->backwards)
			s->end--;
		else
			s->first++;
	}
}

void scan_next(struct scan *s)
{
	if (s->backwards)
		s->end--;
	else
		s->first++;
	query_plan_settle(s);
}

/* True if the rows of the scan are in order of column @c. */
static bool is_in_order_of(const struct scan *s, bool listed, int c)
{
	return !listed && rows_in_order_of(s->rows, c);
}

/*
 * Restricts the scan to the rows with one value, in the column that has the fewest. Returns the
 * index of that condition; -1: no condition is for a single value.
 */
static int query_plan_look_up(struct scan *s, struct rows *rows, const struct scan_plan *p,
			      const struct row_check *ranges)
{
	int best = -1;

	for (size_t i = 0; p->looks_up && i < p->n_conditions; i++) {
		const uint32_t *list;
		size_t n;

		if (p->conditions[i].op != PLAN_EQUAL || ranges[i].low != ranges[i].high)
			continue;
		n = rows_equal(rows, ranges[i].column, ranges[i].low, &list);
		if (best >= 0 && n >= s->end)
			continue;
		best = (int)i;
		s->list = list;
		s->end = n;
	}
	return best;
}

void scan_begin(struct scan *s, struct rows *rows, const struct scan_plan *p,
		const struct plan_bound *bounds)
{
	struct row_check ranges[PLAN_CONDITIONS_MAX];
	bool as_they_are = !p->n_order ||
			   (p->n_order == 1 && rows_in_order_of(rows, p->order[0].column));
	bool any = true;
	int lookup;

	*s = (struct scan){ .rows = rows, .end = rows_count(rows) };
	for (size_t i = 0; i < p->n_conditions; i++)
		any &= query_plan_range_of(rows, p, i, &bounds[i], &ranges[i]);
	if (!any) {
		s->end = 0;
		return;
	}
	lookup = as_they_are ? query_plan_look_up(s, rows, p, ranges) : -1;
	if (!as_they_are)
		s->list = rows_ordered(rows, p->order, p->n_order, p->grouped);
	s->backwards = as_they_are && p->n_order && p->order[0].descending;
	for (size_t i = 0; i < p->n_conditions; i++) {
		if ((int)i == lookup || is_everything(&ranges[i]))
			continue;
		if (is_in_order_of(s, !as_they_are, ranges[i].column))
			query_plan_narrow(s, &ranges[i]);
		else
			s->checks[s->n_checks++] = ranges[i];
	}
	query_plan_settle(s);
}
