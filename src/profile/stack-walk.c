/* SPDX-License-Identifier: MIT */
/*
 * Inward there are two kinds of weights. Below a node where the row is a caller, a node weighs its
 * total without the row's own samples below it, which are counted as whole stacks. Whole stacks are
 * the other kind: on the way from the root to the row's own samples, a node weighs only these
 * samples.
 */
#include "profile/stack-walk.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/frame-order.h"
#include "profile/report.h"

/* The relation between the current row and a node of the trie; all zero between rows. */
struct walk_mark {
	struct weight own;       /* the row's own samples here and below */
	struct weight elsewhere; /* outward: stacks that do not begin here */
	uint32_t child, next;    /* inward: first node below with own, and next sibling; plus 1 */
	bool seen;               /* it is in stack_walk.seen */
	bool is_caller;
};

struct roots {
	uint32_t *items;
	size_t n, room;
};

void stack_walk_init(struct stack_walk *w, const struct report_rows *rows,
		     const struct frame_order *order, bool callers_first)
{
	*w = (struct stack_walk){
		.rows = rows,
		.stacks = &rows->tally->stacks,
		.order = order,
		.callers_first = callers_first,
	};
	w->marks = xcalloc(w->stacks->n + 1, sizeof(*w->marks));
}

void stack_walk_done(struct stack_walk *w)
{
	free(w->marks);
	free(w->seen.items);
	free(w->steps.items);
}

static struct walk_mark *stack_walk_mark_of(struct stack_walk *w, uint32_t node)
{
	struct walk_mark *m = &w->marks[node];

	if (!m->seen) {
		m->seen = true;
		*ARRAY_ADD(&w->seen) = node;
	}
	return m;
}

static void forget_marks(struct stack_walk *w)
{
	for (size_t i = 0; i < w->seen.n; i++)
		w->marks[w->seen.items[i]] = (struct walk_mark){ 0 };
	w->seen.n = 0;
}

static uint32_t stack_walk_parent_of(const struct stack_walk *w, uint32_t node)
{
	return w->stacks->nodes[node].parent;
}

static void stack_walk_add_step(struct stack_walk *w, uint32_t node, struct weight weight,
				bool whole)
{
	struct step *s;

	w->steps.items = array_reserve(w->steps.items, &w->steps.room, w->steps.n + 1,
				       sizeof(*w->steps.items));
	s = &w->steps.items[w->steps.n++];
	s->rank = w->order->ranks[w->stacks->nodes[node].frame];
	s->node = node;
	s->weight = weight;
	s->whole = whole;
}

/* Returns the outermost frame of the samples at @node. */
static uint32_t stack_walk_end_of(const struct stack_walk *w, uint32_t node)
{
	return w->stacks->apart[node] ? stack_walk_parent_of(w, node) : node;
}

/* Returns the innermost node at or above @node where the row is a caller, or STACK_NONE. */
static uint32_t caller_at(const struct stack_walk *w, uint32_t node)
{
	while (node != STACK_NONE && !w->marks[node].is_caller)
		node = stack_walk_parent_of(w, node);
	return node;
}

static void mark_callers(struct stack_walk *w, const struct report_row *row)
{
	for (uint32_t i = row->first_node; i != STACK_NONE; i = w->rows->next_node[i])
		stack_walk_mark_of(w, i)->is_caller = true;
}

/*
 * Begins outward: each stack begins at the innermost place of the row. That is its own sample, or a
 * place where it is a caller without another such place between it and the sample.
 */
static void begin_outward(struct stack_walk *w, const struct report_row *row)
{
	uint32_t outer;

	mark_callers(w, row);
	for (uint32_t i = row->first_self; i != STACK_NONE; i = w->rows->next_self[i]) {
		uint32_t end = stack_walk_end_of(w, i);

		if (stack_walk_parent_of(w, end) != STACK_NONE)
			stack_walk_add_step(w, end, w->stacks->weights[i].self, false);
		outer = caller_at(w, end);
		if (outer != STACK_NONE)
			weight_add(&w->marks[outer].elsewhere, w->stacks->weights[i].self);
	}
	for (uint32_t i = row->first_node; i != STACK_NONE; i = w->rows->next_node[i]) {
		outer = caller_at(w, stack_walk_parent_of(w, i));
		if (outer != STACK_NONE)
			weight_add(&w->marks[outer].elsewhere, w->stacks->weights[i].total);
	}
	for (uint32_t i = row->first_node; i != STACK_NONE; i = w->rows->next_node[i]) {
		struct weight weight = w->stacks->weights[i].total;

		weight_take(&weight, w->marks[i].elsewhere);
		if (weight.samples)
			stack_walk_add_step(w, i, weight, false);
	}
}

/* Adds @weight to @node and all nodes above. New roots, where stacks begin, go to @roots. */
static void mark_own(struct stack_walk *w, uint32_t node, struct weight weight, struct roots *roots)
{
	for (uint32_t above; node != STACK_NONE; node = above) {
		struct walk_mark *m = stack_walk_mark_of(w, node);
		bool is_new = !m->own.samples;

		above = stack_walk_parent_of(w, node);
		weight_add(&m->own, weight);
		if (!is_new)
			continue;
		if (above == STACK_NONE) {
			*ARRAY_ADD(roots) = node;
		} else {
			struct walk_mark *up = stack_walk_mark_of(w, above);

			m->next = up->child;
			up->child = node + 1;
		}
	}
}

static void step_into_whole(struct stack_walk *w, uint32_t node)
{
	for (uint32_t i = w->marks[node].child; i; i = w->marks[i - 1].next)
		stack_walk_add_step(w, i - 1, w->marks[i - 1].own, true);
}

static void add_caller_step(struct stack_walk *w, uint32_t node)
{
	struct weight weight = w->stacks->weights[node].total;

	if (w->has_own)
		weight_take(&weight, w->marks[node].own);
	if (weight.samples)
		stack_walk_add_step(w, node, weight, false);
}

static void roots_done(struct roots *r)
{
	free(r->items);
}

/*
 * Begins inward: with whole stacks for the row's own samples, and with the outermost place of the
 * row for others.
 */
static void begin_inward(struct stack_walk *w, const struct report_row *row)
{
	_cleanup_(roots_done) struct roots roots = { 0 };

	for (uint32_t i = row->first_self; i != STACK_NONE; i = w->rows->next_self[i])
		mark_own(w, stack_walk_end_of(w, i), w->stacks->weights[i].self, &roots);
	w->has_own = roots.n;
	for (size_t i = 0; i < roots.n; i++)
		step_into_whole(w, roots.items[i]);
	for (uint32_t i = row->first_node; i != STACK_NONE; i = w->rows->next_node[i])
		add_caller_step(w, i);
}

/* Makes one step from @from on, and adds what it finds to the steps. */
static void step_on(struct stack_walk *w, struct step from)
{
	const struct stack_node *nodes = w->stacks->nodes;

	if (!w->callers_first) {
		uint32_t parent = nodes[from.node].parent;

		if (nodes[parent].parent != STACK_NONE)
			stack_walk_add_step(w, parent, from.weight, false);
	} else if (from.whole) {
		step_into_whole(w, from.node);
	} else {
		for (uint32_t i = nodes[from.node].child; i != STACK_NONE; i = nodes[i].next)
			if (!w->stacks->apart[i])
				add_caller_step(w, i);
	}
}

static int stack_walk_by_node(const void *a, const void *b)
{
	const struct step *sa = a, *sb = b;

	return sa->node < sb->node ? -1 : sa->node > sb->node;
}

void stack_walk_merge(struct stack_walk *w, size_t from)
{
	struct steps *s = &w->steps;
	size_t to = from;

	/* Inward, no two steps come to the same node. */
	if (w->callers_first || s->n - from < 2)
		return;
	qsort(&s->items[from], s->n - from, sizeof(*s->items), stack_walk_by_node);
	for (size_t i = from + 1; i < s->n; i++)
		if (s->items[to].node == s->items[i].node)
			weight_add(&s->items[to].weight, s->items[i].weight);
		else
			s->items[++to] = s->items[i];
	s->n = to + 1;
}

void stack_walk_begin(struct stack_walk *w, const struct report_row *row)
{
	forget_marks(w);
	w->steps.n = 0;
	if (w->callers_first)
		begin_inward(w, row);
	else
		begin_outward(w, row);
}

void stack_walk_on(struct stack_walk *w, size_t from)
{
	size_t end = w->steps.n;

	for (size_t i = from; i < end; i++)
		step_on(w, w->steps.items[i]);
}

struct weight stack_walk_sum(const struct stack_walk *w, size_t from)
{
	struct weight sum = { 0 };

	for (size_t i = from; i < w->steps.n; i++)
		weight_add(&sum, w->steps.items[i].weight);
	return sum;
}
