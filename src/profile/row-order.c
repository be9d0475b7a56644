/* SPDX-License-Identifier: MIT */
#include "profile/row-order.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/red-black.h"
#include "base/shared-sort.h"
#include "profile/row-words.h"

#define NO_ROW UINT32_MAX

struct node_arrival *nodes_find_arrivals(const struct stacks *s)
{
	struct node_arrival *b = xmalloc((s->n + 1) * sizeof(*b));

	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];

		b[i].depth = n->parent == STACK_NONE ? 0 : b[n->parent].depth + !s->apart[i];
		b[i].deepest = s->weights[i].self.samples ? b[i].depth : 0;
		b[i].task = s->weights[i].first_task;
		b[i].first = s->weights[i].self.samples ? s->weights[i].first : UINT64_MAX;
	}
	for (size_t i = s->n; i-- > 0;) {
		struct node_arrival *parent;

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
	return b;
}

/* One of the ways in which a row may have arrived. */
struct arrival {
	uint64_t first;
	uint32_t nth, task, frame;
};

static void row_order_note(struct report_row *row, uint32_t depth, struct arrival a)
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
			const struct node_arrival *nodes, bool children, bool callers_first)
{
	for (size_t i = 0; i < s->n; i++) {
		uint32_t frame = s->nodes[i].frame, depth = nodes[i].depth;

		if (row_of[i] == NO_ROW)
			continue;
		if (s->weights[i].self.samples)
			row_order_note(&rows[row_of[i]], depth,
				       (struct arrival){ s->weights[i].first, 0,
							 s->weights[i].first_task, frame });
		if (children && !s->apart[i])
			row_order_note(&rows[row_of[i]],
				       callers_first ? nodes[i].deepest - depth + 1 : depth,
				       (struct arrival){ nodes[i].first,
							 callers_first ? depth : UINT32_MAX - depth,
							 nodes[i].task, frame });
	}
}

static int row_order_compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

typedef int compare_fn(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

static int row_order_compare_values(const struct report_options *o, size_t i, compare_fn *compare,
				    const struct report_row *a, const struct report_row *b)
{
	if (a->values[i] == b->values[i])
		return 0;
	if (compare)
		return compare(&o->keys[i], o->env, a->values[i], b->values[i]);
	return row_order_compare_numbers(a->values[i], b->values[i]);
}

/* Compares by @by. Except for depths, this is an order. */
static int row_order_compare_by(const struct report_options *o, const struct row_order *by,
				const struct report_row *a, const struct report_row *b)
{
	if (by->by == ROW_BY_KEY)
		return row_order_compare_values(o, by->index, o->keys[by->index].type->compare, a,
						b);
	return row_order_compare_numbers(row_lightness(by, a), row_lightness(by, b));
}

/* Compares by the first @n criteria. */
static int row_order_compare_first(const struct report_options *o, size_t n,
				   const struct report_row *a, const struct report_row *b)
{
	int c = 0;

	for (size_t i = 0; i < n && !c; i++)
		c = row_order_compare_by(o, &o->order[i], a, b);
	return c;
}

/* Compares by all criteria except the first @n. */
static int compare_rest(const struct report_options *o, size_t n, const struct report_row *a,
			const struct report_row *b)
{
	int c = 0;

	for (size_t i = n; i < o->n_order && !c; i++)
		c = row_order_compare_by(o, &o->order[i], a, b);
	return c;
}

/* Returns the row's own value. Frames that print alike have the value of the first of them. */
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
		return row_order_compare_values(o, i, t->compare, a, b);
	return t->identity(&o->keys[i], o->env, own_value(o, i, a), own_value(o, i, b));
}

/* Compares by the values that tell rows apart. */
static int row_order_by_identity(const void *va, const void *vb, void *options)
{
	const struct report_options *o = options;
	const struct report_row *a = va, *b = vb;
	int c = 0;

	if (report_is_stopped(o))
		return 0;
	for (size_t i = 0; i < o->n_keys && !c; i++)
		c = compare_identities(o, i, a, b);
	return c;
}

/* The parameters of sorting, in addition to the rows' words. */
struct row_order_sorting {
	const struct report_options *o;
	size_t n_decided; /* parts of the order, or keys, that the words decide */
};

static int compare_orders(const struct row_order_sorting *s, const struct sorted_row *a,
			  const struct sorted_row *b)
{
	int c = row_words_compare(a, b);

	if (!c && !report_is_stopped(s->o))
		c = compare_rest(s->o, s->n_decided, a->row, b->row);
	return c;
}

/* Compares rows. Equal rows keep their order. */
static int row_order_by(const void *va, const void *vb, void *sorting)
{
	const struct sorted_row *a = va, *b = vb;
	int c = compare_orders(sorting, a, b);

	return c ? c : row_order_compare_numbers((uintptr_t)a->row, (uintptr_t)b->row);
}

/* Compares by weight, then by identity. */
static int by_order_and_identity(const void *va, const void *vb, void *sorting)
{
	const struct sorted_row *a = va, *b = vb;
	const struct row_order_sorting *s = sorting;
	int c = compare_orders(s, a, b);

	return c ? c : row_order_by_identity(a->row, b->row, (void *)s->o);
}

static int by_identity_alone(const void *va, const void *vb, void *sorting)
{
	const struct sorted_row *a = va, *b = vb;
	const struct row_order_sorting *s = sorting;
	int c = row_words_compare(a, b);

	return c ? c : row_order_by_identity(a->row, b->row, (void *)s->o);
}

/* Sorts the rows, and returns them. The caller frees the result. */
static struct sorted_row *sort_plainly(const struct report_rows *r, row_words_fn *words,
				       int (*compare)(const void *a, const void *b, void *sorting))
{
	struct sorted_row *sorted = xmalloc((r->n + 1) * sizeof(*sorted));
	struct row_order_sorting s = { .o = r->options, .n_decided = words(r, sorted) };

	shared_sort(s.o->workers, sorted, r->n, sizeof(*sorted), compare, &s);
	return sorted;
}

/* The data that comparisons in a tree use. Ranks are numbers; equal rows have equal ranks. */
struct tree_row {
	uint32_t weight; /* rank by all criteria up to the totals */
	uint32_t all;    /* rank by all criteria */
	uint32_t task, depth;
};

/* Returns the number of criteria before the one for which depths count. */
static size_t n_before_depth(const struct report_options *o)
{
	size_t n = 0;

	while (n < o->n_order && o->order[n].by != ROW_BY_TOTAL)
		n++;
	return n < o->n_order ? n + 1 : n;
}

/* Ranks the rows, by their place; @sorted are in order, except for depths. */
static struct tree_row *rank_rows(const struct report_rows *r, const struct sorted_row *sorted)
{
	const struct report_options *o = r->options;
	size_t n = n_before_depth(o);
	struct tree_row *ranked = xcalloc(r->n + 1, sizeof(*ranked));
	uint32_t weight = 0, all = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct report_row *row = sorted[i].row, *before = i ? sorted[i - 1].row : row;

		weight += !!row_order_compare_first(o, n, before, row);
		all += i && (row_words_compare(&sorted[i - 1], &sorted[i]) ||
			     row_order_compare_first(o, o->n_order, before, row));
		ranked[row - r->rows] = (struct tree_row){
			.weight = weight, .all = all, .task = row->task, .depth = row->depth
		};
	}
	return ranked;
}

static bool stands_above(const struct tree_row *a, const struct tree_row *b, bool callers_first)
{
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->task == b->task && a->depth != b->depth)
		return (a->depth > b->depth) == callers_first;
	return a->all < b->all;
}

/* Grows a tree as red_black_sort() does, from the first row to the last. */
static void grow_tree(struct red_black *t, const struct tree_row *rows, size_t n,
		      const struct report_options *o)
{
	bool callers_first = o->rq.callers_first;

	for (uint32_t k = 1; k <= n && !report_is_stopped(o); k++) {
		uint32_t parent = RED_BLACK_NIL, at = t->root;
		enum red_black_side side = RED_BLACK_LEFT;

		while (at != RED_BLACK_NIL) {
			parent = at;
			side = stands_above(&rows[k - 1], &rows[at - 1], callers_first)
				       ? RED_BLACK_LEFT
				       : RED_BLACK_RIGHT;
			at = t->nodes[at].child[side];
		}
		red_black_insert(t, k, parent, side);
	}
}

static void sort_in_tree(const struct report_rows *r, struct sorted_row *sorted)
{
	_cleanup_(freep) struct tree_row *ranked = rank_rows(r, sorted);
	_cleanup_(red_black_done) struct red_black t;
	size_t n = 0;

	red_black_init(&t, r->n);
	grow_tree(&t, ranked, r->n, r->options);
	for (uint32_t k = red_black_first(&t); k != RED_BLACK_NIL; k = red_black_next(&t, k))
		sorted[n++].row = &r->rows[k - 1];
}

static int row_order_by_arrival(const void *va, const void *vb)
{
	const struct report_row *a = va, *b = vb;
	int c = row_order_compare_numbers(a->first, b->first);

	return c ? c : row_order_compare_numbers(a->nth, b->nth);
}

/* True if the identity of rows defines an order. Addresses are comparable only within an image. */
static bool identity_is_order(const struct report_options *o)
{
	if (o->env->has_image_key && !o->env->wraps)
		return true;
	for (size_t i = 0; i < o->n_keys; i++)
		if (o->keys[i].type->identity)
			return false;
	return true;
}

/* Moves the rows into the order of @sorted, which is freed. */
static void row_order_rearrange(struct report_rows *r, struct sorted_row *sorted)
{
	struct report_row *rows = xcalloc(r->n + 1, sizeof(*rows));

	for (size_t i = 0; i < r->n; i++)
		rows[i] = *sorted[i].row;
	free(r->rows);
	r->rows = rows;
	free(sorted);
}

/*
 * Puts rows into the sequence that Linux's perf has before it sorts by weight, for cases in which
 * that is no order.
 */
static void sort_as_merged(struct report_rows *r)
{
	const struct report_options *o = r->options;
	_cleanup_(freep) const struct report_row **pointers = xcalloc(r->n + 1, sizeof(*pointers));
	struct sorted_row *sorted = xcalloc(r->n + 1, sizeof(*sorted));

	qsort(r->rows, r->n, sizeof(*r->rows), row_order_by_arrival);
	for (size_t i = 0; i < r->n; i++)
		pointers[i] = &r->rows[i];
	/* Rows with the same command are merged only in a second round, by the same comparison. */
	for (int round = 0; round <= o->sorts_comms; round++)
		red_black_sort((const void **)pointers, r->n, row_order_by_identity, (void *)o);
	for (size_t i = 0; i < r->n; i++)
		sorted[i].row = pointers[i];
	row_order_rearrange(r, sorted);
}

void rows_sort(struct report_rows *r)
{
	const struct report_options *o = r->options;
	struct sorted_row *sorted;
	bool ordered, in_tree;

	if (!r->n)
		return;
	ordered = identity_is_order(o);
	in_tree = o->children && o->rq.with_trees;
	if (ordered && !in_tree && !o->in_groups) {
		row_order_rearrange(r, sort_plainly(r, row_words_by_order, by_order_and_identity));
		return;
	}
	if (ordered)
		row_order_rearrange(r, sort_plainly(r, row_words_by_identity, by_identity_alone));
	else
		sort_as_merged(r);
	for (size_t i = 0; i < r->n; i++)
		r->rows[i].place = (uint32_t)i;
	sorted = sort_plainly(r, row_words_by_order, row_order_by);
	if (in_tree)
		sort_in_tree(r, sorted);
	row_order_rearrange(r, sorted);
}
