/* SPDX-License-Identifier: MIT */
#include "profile/row-order.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/red-black.h"

#define NO_ROW UINT32_MAX

/* Of a node with all below it. */
struct below {
	uint32_t depth;   /* frames from the root to it */
	uint32_t deepest; /* the same of the deepest sample */
	uint32_t task;    /* whose the first sample was */
	uint64_t first;   /* and when it came */
};

static void count_depths(struct below *b, const struct stacks *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];

		b[i].depth = n->parent == STACK_NONE ? 0 : b[n->parent].depth + !s->apart[i];
		b[i].deepest = s->weights[i].self.samples ? b[i].depth : 0;
		b[i].task = s->weights[i].first_task;
		b[i].first = s->weights[i].self.samples ? s->weights[i].first : UINT64_MAX;
	}
	for (size_t i = s->n; i-- > 0;) {
		struct below *parent;

		if (s->nodes[i].parent == STACK_NONE)
			continue;
		parent = &b[s->nodes[i].parent];
		if (b[i].deepest > parent->deepest)
			parent->deepest = b[i].deepest;
		if (b[i].first < parent->first) {
			parent->first = b[i].first;
			parent->task = b[i].task;
		}
	}
}

/* How a row may have come. */
struct arrival {
	uint64_t first;
	uint32_t nth, task, frame;
};

static void note(struct report_row *row, uint32_t depth, struct arrival a)
{
	if (depth > row->depth)
		row->depth = depth;
	if (!row->first || a.first < row->first || (a.first == row->first && a.nth < row->nth)) {
		row->first = a.first;
		row->nth = a.nth;
		row->task = a.task;
		row->frame = a.frame;
	}
}

void rows_find_arrivals(struct report_row *rows, const uint32_t *row_of, const struct stacks *s,
			bool callers_first)
{
	_cleanup_(freep) struct below *b = xcalloc(s->n + 1, sizeof(*b));

	count_depths(b, s);
	for (size_t i = 0; i < s->n; i++) {
		uint32_t frame = s->nodes[i].frame, depth = b[i].depth;

		if (row_of[i] == NO_ROW)
			continue;
		if (s->weights[i].self.samples)
			note(&rows[row_of[i]], depth,
			     (struct arrival){ s->weights[i].first, 0, s->weights[i].first_task,
					       frame });
		if (!s->apart[i])
			note(&rows[row_of[i]], callers_first ? b[i].deepest - depth + 1 : depth,
			     (struct arrival){ b[i].first,
					       callers_first ? depth : UINT32_MAX - depth,
					       b[i].task, frame });
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

typedef int compare_fn(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

static int compare_values(const struct report_options *o, size_t i, compare_fn *compare,
			  const struct report_row *a, const struct report_row *b)
{
	if (a->values[i] == b->values[i])
		return 0;
	if (compare)
		return compare(&o->keys[i], o->env, a->values[i], b->values[i]);
	return compare_numbers(a->values[i], b->values[i]);
}

static int compare_totals(const struct report_options *o, const struct report_row *a,
			  const struct report_row *b)
{
	int c = compare_numbers(b->total.period, a->total.period);

	if (c || !o->with_trees || a->task != b->task)
		return c;
	c = compare_numbers(b->depth, a->depth);
	return o->callers_first ? c : -c;
}

static int compare_by(const struct report_options *o, const struct row_order *by,
		      const struct report_row *a, const struct report_row *b)
{
	switch (by->by) {
	case ROW_BY_KEY:
		return compare_values(o, by->index, o->keys[by->index].type->compare, a, b);
	case ROW_BY_TOTAL:
		return compare_totals(o, a, b);
	case ROW_BY_SELF:
	case ROW_BY_PERIOD:
		return compare_numbers(b->self.period, a->self.period);
	case ROW_BY_SELF_MODE:
		return compare_numbers(b->self_by_mode[by->index], a->self_by_mode[by->index]);
	case ROW_BY_SAMPLES:
		return compare_numbers(b->self.samples, a->self.samples);
	}
	return 0;
}

static int compare_rows(const struct report_options *o, const struct report_row *a,
			const struct report_row *b)
{
	int c = 0;

	for (size_t i = 0; i < o->n_order && !c; i++)
		c = compare_by(o, &o->order[i], a, b);
	return c;
}

/* Of the frames that print alike, the row's value is that of the first. */
static uint64_t own_value(const struct report_options *o, size_t i, const struct report_row *row)
{
	return o->keys[i].type->flags & KEY_IS_FRAME ? row->frame : row->values[i];
}

static int compare_identities(const struct report_options *o, size_t i, const struct report_row *a,
			      const struct report_row *b)
{
	const struct key_type *t = o->keys[i].type;

	if (a->values[i] == b->values[i])
		return 0;
	if (!t->identity)
		return compare_values(o, i, t->compare, a, b);
	return t->identity(&o->keys[i], o->env, own_value(o, i, a), own_value(o, i, b));
}

/* By what tells rows apart. */
static int by_identity(const void *va, const void *vb, void *options)
{
	const struct report_options *o = options;
	const struct report_row *a = va, *b = vb;
	int c = 0;

	for (size_t i = 0; i < o->n_keys && !c; i++)
		c = compare_identities(o, i, a, b);
	return c;
}

/* Rows that are equal keep the order they are in. */
static int by_order(const void *va, const void *vb, void *options)
{
	const struct report_row *const *a = va, *const *b = vb;
	int c = compare_rows(options, *a, *b);

	return c ? c : compare_numbers((uintptr_t)*a, (uintptr_t)*b);
}

static void sort_plainly(const struct report_options *o, const struct report_row **rows, size_t n)
{
	qsort_r(rows, n, sizeof(*rows), by_order, (void *)o);
}

static int in_tree(const void *a, const void *b, void *options)
{
	return compare_rows(options, a, b);
}

static int by_arrival(const void *va, const void *vb)
{
	const struct report_row *a = va, *b = vb;
	int c = compare_numbers(a->first, b->first);

	return c ? c : compare_numbers(a->nth, b->nth);
}

/* Does the identity of rows define an order? Addresses are comparable only within an image. */
static bool identity_is_order(const struct report_options *o)
{
	if (o->env->has_image_key && !o->env->wraps)
		return true;
	for (size_t i = 0; i < o->n_keys; i++)
		if (o->keys[i].type->identity)
			return false;
	return true;
}

/* Moves the rows into the order of the pointers, and updates the pointers. */
static void rearrange(struct report_rows *r, const struct report_row **pointers)
{
	struct report_row *sorted = xcalloc(r->n + 1, sizeof(*sorted));

	for (size_t i = 0; i < r->n; i++)
		sorted[i] = *pointers[i];
	free(r->rows);
	r->rows = sorted;
	for (size_t i = 0; i < r->n; i++)
		pointers[i] = &r->rows[i];
}

/* By weight, then by identity. */
static int by_order_and_identity(const void *va, const void *vb, void *options)
{
	const struct report_row *const *a = va, *const *b = vb;
	int c = compare_rows(options, *a, *b);

	return c ? c : by_identity(*a, *b, options);
}

void rows_sort(struct report_rows *r)
{
	const struct report_options *o = r->options;
	_cleanup_(freep) const struct report_row **pointers = xcalloc(r->n + 1, sizeof(*pointers));
	bool ordered, in_tree_order;

	if (!r->n)
		return;
	ordered = identity_is_order(o);
	in_tree_order = o->children && o->with_trees;
	if (ordered && !in_tree_order && !o->in_groups) {
		for (size_t i = 0; i < r->n; i++)
			pointers[i] = &r->rows[i];
		qsort_r(pointers, r->n, sizeof(*pointers), by_order_and_identity, (void *)o);
		rearrange(r, pointers);
		return;
	}
	if (ordered)
		qsort_r(r->rows, r->n, sizeof(*r->rows), by_identity, (void *)o);
	else
		qsort(r->rows, r->n, sizeof(*r->rows), by_arrival);
	for (size_t i = 0; i < r->n; i++)
		pointers[i] = &r->rows[i];
	/* Rows with the same command are merged only in a second round, by the same comparison. */
	if (!ordered) {
		red_black_sort((const void **)pointers, r->n, by_identity, (void *)o);
		if (o->sorts_comms)
			red_black_sort((const void **)pointers, r->n, by_identity, (void *)o);
		rearrange(r, pointers);
	}
	for (size_t i = 0; i < r->n; i++)
		r->rows[i].place = (uint32_t)i;
	if (in_tree_order)
		red_black_sort((const void **)pointers, r->n, in_tree, (void *)o);
	else
		sort_plainly(o, pointers, r->n);
	rearrange(r, pointers);
}
