/* SPDX-License-Identifier: MIT */
/*
 * A node of a tree stands for a set of steps (profile/stack-walk.h). The steps that follow are
 * grouped by rank. One group continues the node; several groups are its children.
 */
#include "profile/call-tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/branch-note.h"
#include "profile/frame-order.h"
#include "profile/report.h"
#include "profile/stack-walk.h"

/* The steps of one rank. */
struct call_tree_group {
	uint32_t rank;
	size_t at, n; /* index and number of its steps */
	struct weight total;
};

struct call_tree_builder {
	struct call_tree_options o;
	struct stack_walk walk; /* the sets of the places above, then of the current place */
	uint32_t *group_of;     /* by rank; all zero except while steps are sorted */
	struct {
		uint32_t *items;
		size_t n, room;
	} frames;                  /* the frames of the current run */
	struct branch_notes notes; /* likewise */
	struct arena *arena;       /* the arena of the current tree */
};

/*
 * Rounds like Linux's perf: down if the threshold is relative to everything, up if it is relative
 * to the parent.
 */
uint64_t call_tree_least(const struct call_tree_options *o, uint64_t parent)
{
	double least = o->relative ? ceil((double)parent * o->threshold)
				   : (double)o->whole * o->threshold;

	return least < (double)UINT64_MAX ? (uint64_t)least : UINT64_MAX;
}

struct call_tree_builder *call_tree_builder_new(const struct call_tree_options *o,
						const struct report_rows *rows)
{
	struct call_tree_builder *b = xcalloc(1, sizeof(*b));

	b->o = *o;
	stack_walk_init(&b->walk, rows, o->order, o->callers_first);
	b->group_of = xcalloc(o->order->n + 1, sizeof(*b->group_of));
	return b;
}

void call_tree_builder_free(struct call_tree_builder *b)
{
	if (!b)
		return;
	stack_walk_done(&b->walk);
	free(b->group_of);
	free(b->frames.items);
	branch_notes_done(&b->notes);
	free(b);
}

void call_tree_builder_set_whole(struct call_tree_builder *b, uint64_t whole)
{
	b->o.whole = whole;
}

/* True if the steps from @from on are one group. */
static bool is_one_group(const struct steps *s, size_t from)
{
	for (size_t i = from + 1; i < s->n; i++)
		if (s->items[i].rank != s->items[from].rank)
			return false;
	return from < s->n;
}

/* Sums up the notes of the steps from @from on, which belong to the last frame found. */
static void call_tree_add_note(struct call_tree_builder *b, size_t from)
{
	struct branch_note *note;

	if (!b->o.notes)
		return;
	note = ARRAY_ADD(&b->notes);
	for (size_t i = from; i < b->walk.steps.n; i++)
		if (b->walk.steps.items[i].node < b->o.notes->n)
			branch_note_merge(note, &b->o.notes->items[b->walk.steps.items[i].node]);
}

/*
 * Follows the steps from @from on, which are one group, until stacks diverge or end, and leaves the
 * frames in b->frames. Returns where the steps that lead further begin.
 */
static size_t call_tree_follow(struct call_tree_builder *b, size_t from)
{
	struct steps *s = &b->walk.steps;

	b->frames.n = 0;
	b->notes.n = 0;
	for (;;) {
		struct weight here;
		size_t next;

		stack_walk_merge(&b->walk, from);
		here = stack_walk_sum(&b->walk, from);
		next = s->n;
		*ARRAY_ADD(&b->frames) = b->walk.stacks->nodes[s->items[from].node].frame;
		call_tree_add_note(b, from);
		stack_walk_on(&b->walk, from);
		weight_take(&here, stack_walk_sum(&b->walk, next));
		if (here.samples || !is_one_group(s, next))
			return next;
		memmove(&s->items[from], &s->items[next], (s->n - next) * sizeof(*s->items));
		s->n = from + s->n - next;
	}
}

struct groups {
	struct call_tree_group *items;
	size_t n, room;
};

static void groups_done(struct groups *g)
{
	free(g->items);
}

/*
 * Finds the groups of the steps from @from on; b->group_of has, by rank, the group's number plus
 * 1.
 */
static void find_groups(struct call_tree_builder *b, size_t from, struct groups *ret)
{
	for (size_t i = from; i < b->walk.steps.n; i++) {
		const struct step *s = &b->walk.steps.items[i];
		struct call_tree_group *g;

		if (!b->group_of[s->rank]) {
			ARRAY_ADD(ret)->rank = s->rank;
			b->group_of[s->rank] = (uint32_t)ret->n;
		}
		g = &ret->items[b->group_of[s->rank] - 1];
		g->n++;
		weight_add(&g->total, s->weight);
	}
}

/* Keeps the steps from @from on whose groups weigh at least @least, sorted by group. */
static void sort_steps(struct call_tree_builder *b, size_t from, uint64_t least,
		       struct groups *groups)
{
	struct steps *s = &b->walk.steps;
	size_t end = s->n, n = 0;

	for (size_t i = 0; i < groups->n; i++) {
		groups->items[i].at = from + n;
		if (groups->items[i].total.period >= least)
			n += groups->items[i].n;
	}
	s->items = array_reserve(s->items, &s->room, end + n, sizeof(*s->items));
	for (size_t i = from; i < end; i++) {
		struct call_tree_group *g = &groups->items[b->group_of[s->items[i].rank] - 1];

		if (g->total.period >= least)
			s->items[end - from + g->at++] = s->items[i];
	}
	if (n)
		memmove(&s->items[from], &s->items[end], n * sizeof(*s->items));
	s->n = from + n;
}

static int by_rank(const void *a, const void *b)
{
	const struct call_tree_group *ga = a, *gb = b;

	return ga->rank < gb->rank ? -1 : 1;
}

static int lowest_first(const void *a, const void *b, void *order)
{
	const struct call_tree_group *ga = a, *gb = b;

	return frame_order_compare(order, ga->rank, gb->rank);
}

static int call_tree_heaviest_first(const void *a, const void *b, void *order)
{
	const struct call_tree_group *ga = a, *gb = b;

	if (ga->total.period != gb->total.period)
		return ga->total.period > gb->total.period ? -1 : 1;
	return lowest_first(b, a, order);
}

/*
 * Sorts by rank first, because the result may depend on the initial order: see
 * frame_order_compare().
 */
static void sort_groups(const struct call_tree_builder *b, struct groups *g)
{
	if (g->n < 2)
		return;
	qsort(g->items, g->n, sizeof(*g->items), by_rank);
	qsort_r(g->items, g->n, sizeof(*g->items),
		b->o.by_rank ? lowest_first : call_tree_heaviest_first, (void *)b->o.order);
}

/*
 * Finds the groups of the steps from @from on that weigh at least @least, in the order of the tree;
 * group.at is the index at which each begins.
 */
static void call_tree_part(struct call_tree_builder *b, size_t from, uint64_t least,
			   struct groups *ret)
{
	size_t n = 0;

	find_groups(b, from, ret);
	sort_steps(b, from, least, ret);
	for (size_t i = 0; i < ret->n; i++) {
		struct call_tree_group *g = &ret->items[i];

		b->group_of[g->rank] = 0;
		if (g->total.period < least)
			continue;
		g->at -= g->n;
		ret->items[n++] = *g;
	}
	ret->n = n;
	sort_groups(b, ret);
}

static void call_tree_grow(struct call_tree_builder *b, size_t from, struct call_node *n);

/* Makes the children of @n from the steps from @from on, and removes these steps. */
static void call_tree_branch(struct call_tree_builder *b, size_t from, struct call_node *n)
{
	_cleanup_(groups_done) struct groups groups = { 0 };
	struct steps *s = &b->walk.steps;
	struct call_node *children = NULL;
	size_t end;

	call_tree_part(b, from, call_tree_least(&b->o, n->total.period - n->self.period), &groups);
	end = s->n;
	if (groups.n)
		children = arena_alloc(b->arena, groups.n * sizeof(*children));
	for (size_t i = 0; i < groups.n; i++) {
		const struct call_tree_group *g = &groups.items[i];

		s->items = array_reserve(s->items, &s->room, end + g->n, sizeof(*s->items));
		memcpy(&s->items[end], &s->items[g->at], g->n * sizeof(*s->items));
		s->n = end + g->n;
		children[i].total = g->total;
		call_tree_grow(b, end, &children[i]);
	}
	s->n = from;
	n->children = children;
	n->n_children = groups.n;
}

static const struct branch_note *copy_notes(struct call_tree_builder *b)
{
	size_t size = b->notes.n * sizeof(*b->notes.items);

	return size ? memcpy(arena_alloc(b->arena, size), b->notes.items, size) : NULL;
}

/* Makes the node of the group of steps from @from on, with everything below it. */
static void call_tree_grow(struct call_tree_builder *b, size_t from, struct call_node *n)
{
	size_t next = call_tree_follow(b, from);
	uint32_t *frames = arena_alloc(b->arena, b->frames.n * sizeof(*frames));

	memcpy(frames, b->frames.items, b->frames.n * sizeof(*frames));
	n->frames = frames;
	n->n_frames = b->frames.n;
	n->notes = copy_notes(b);
	n->self = n->total;
	weight_take(&n->self, stack_walk_sum(&b->walk, next));
	call_tree_branch(b, next, n);
	b->walk.steps.n = from;
}

/* True if all stacks of @row together are below the threshold. */
static bool is_too_light(const struct call_tree_builder *b, const struct report_row *row)
{
	uint64_t all = b->walk.rows->options->children ? row->total.period : row->self.period;

	return !b->o.relative && all < call_tree_least(&b->o, all);
}

void call_tree_init(struct call_tree *ret, struct call_tree_builder *b,
		    const struct report_row *row)
{
	*ret = (struct call_tree){ 0 };
	if (is_too_light(b, row))
		return;
	b->arena = &ret->arena;
	stack_walk_begin(&b->walk, row);
	ret->root.total = stack_walk_sum(&b->walk, 0);
	call_tree_branch(b, 0, &ret->root);
	b->arena = NULL;
}

void call_tree_done(struct call_tree *t)
{
	arena_done(&t->arena);
}
