/* SPDX-License-Identifier: MIT */
#include "session/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "session/machine.h"
#include "session/span.h"

/* A fork over more levels, all of which have maps of their own, copies the visible maps. */
#define DEPTH_MAX  8
#define LEVELS_MAX 1024

struct space_version {
	struct moment since;
	const struct map *map;
	/*
	 * The earlier content of the slot's range, and possibly of more; n is 0 if there was none.
	 */
	const struct space_slot *before;
	size_t n_before;
};

struct space *space_new(struct arena *a)
{
	return arena_alloc(a, sizeof(struct space));
}

void space_done(struct space *sp)
{
	space_layer_done(&sp->top);
}

/*
 * Returns the version at @addr that was valid at @at, of @v or of those that it covers; or NULL.
 * Narrows @span to its times.
 */
static const struct space_version *version_before(const struct space_version *v, uint64_t addr,
						  struct moment at, struct span *span)
{
	while (!moment_holds(v->since, at)) {
		const struct space_slot *slots = v->before;
		size_t n = v->n_before, i = space_slots_at(slots, n, addr);

		span_before(span, v->since.time);
		if (i == n || slots[i].start > addr) {
			span_within(span, i ? slots[i - 1].end : 0,
				    i < n ? slots[i].start : UINT64_MAX);
			return NULL;
		}
		span_within(span, slots[i].start, slots[i].end);
		v = slots[i].version;
	}
	span_since(span, v->since.time);
	return v;
}

/*
 * Returns the version at @addr that is valid at @at, or NULL; narrows @span to the addresses and
 * times for which it is visible.
 */
static const struct space_version *version_at(const struct space_layer *l, uint64_t addr,
					      struct moment at, struct span *span)
{
	struct space_slot gap;
	const struct space_slot *slot = space_layer_find(l, addr, &gap);

	if (!slot) {
		span_within(span, gap.start, gap.end);
		return NULL;
	}
	span_within(span, slot->start, slot->end);
	return version_before(slot->version, addr, at, span);
}

/* The space below is seen at one moment, so only the space itself limits the times. */
const struct map *space_find_span(const struct space *sp, uint64_t addr, struct moment at,
				  struct span *span)
{
	const struct space_version *v = NULL;
	struct span below = SPAN_ALWAYS, *narrowed = span;

	for (; sp && !v; at = sp->below_at, sp = sp->below, narrowed = &below)
		v = version_at(&sp->top, addr, at, narrowed);
	span_within(span, below.start, below.end);
	return v ? v->map : NULL;
}

const struct map *space_find(const struct space *sp, uint64_t addr, struct moment at)
{
	struct span span = SPAN_ALWAYS;

	return space_find_span(sp, addr, at, &span);
}

const struct map *space_find_jit(const struct space *sp, uint64_t addr, struct moment at,
				 struct span *span)
{
	struct span below = SPAN_ALWAYS, *narrowed = span;
	const struct map *map = NULL;
	bool has_executed = false;

	for (; sp && !map && !has_executed;
	     at = sp->jit_below_at, sp = sp->jit_below, narrowed = &below)
		map = jit_history_find(&sp->jit, addr, at, narrowed, &has_executed);
	span_within(span, below.start, below.end);
	return map;
}

/* True if JIT code may be visible in @sp at some time: its own, or its parent's before the fork. */
static bool may_show_jit_code(const struct space *sp)
{
	for (; !sp->jit.has_dumps && sp->jit_below; sp = sp->jit_below)
		if (!sp->jit_below->jit.has_dumps &&
		    jit_history_has_executed(&sp->jit_below->jit, sp->jit_below_at))
			return false;
	return sp->jit.has_dumps;
}

const struct space *space_seen(const struct space *sp, struct moment at, struct span *span)
{
	/*
	 * Code that the parent makes after the fork is not in the child, and an exec ends earlier
	 * code.
	 */
	if (!sp->below || sp->below->jit.has_dumps ||
	    !moment_holds(sp->below->last, sp->below_at) || may_show_jit_code(sp))
		return sp;
	if (!sp->top.n)
		return sp->below;
	if (moment_holds(sp->first, at)) {
		span_since(span, sp->first.time);
		return sp;
	}
	span_before(span, sp->first.time);
	return sp->below;
}

uint64_t space_next_start(const struct space *sp, uint64_t addr, uint64_t otherwise)
{
	size_t k = space_layer_leaf(&sp->top, addr);

	if (k == sp->top.n_leaves)
		return otherwise;

	const struct space_leaf *leaf = &sp->top.leaves[k];
	size_t i = space_slots_at(leaf->slots, leaf->n, addr);

	if (leaf->slots[i].start > addr)
		return leaf->slots[i].start;
	if (i + 1 < leaf->n)
		return leaf->slots[i + 1].start;
	return k + 1 < sp->top.n_leaves ? leaf[1].slots[0].start : otherwise;
}

static bool same_map(const struct map *a, const struct map *b)
{
	return a == b || (a && b && a->start == b->start && a->end == b->end &&
			  a->pgoff == b->pgoff && a->prot == b->prot && a->flags == b->flags &&
			  a->name == b->name && a->image == b->image);
}

static bool is_there_already(const struct space_layer *l, const struct space_range *r,
			     uint64_t start, uint64_t end, const struct map *map)
{
	struct space_slot slot;

	if (r->n != 1)
		return false;
	space_layer_copy(l, r, &slot);
	return slot.start == start && slot.end == end && same_map(slot.version->map, map);
}

/*
 * Puts @slot over the slots of @r, of which @covered is a copy; the ends of these slots that stick
 * out stay.
 */
static void space_cover(struct space_layer *l, const struct space_range *r,
			const struct space_slot *covered, const struct space_slot *slot)
{
	const struct space_slot *first = covered, *last = covered + r->n - 1;
	struct space_slot with[3];
	size_t n = 0;

	if (r->n && first->start < slot->start)
		with[n++] = (struct space_slot){ first->start, slot->start, first->version };
	with[n++] = *slot;
	if (r->n && last->end > slot->end)
		with[n++] = (struct space_slot){ slot->end, last->end, last->version };
	space_layer_replace(l, r, with, n);
}

void space_lay(struct space *sp, struct arena *a, uint64_t start, uint64_t end,
	       const struct map *map, struct moment at)
{
	struct space_layer *l = &sp->top;
	struct space_range r = space_layer_range(l, start, end);

	if (end <= start || is_there_already(l, &r, start, end, map))
		return;

	/* The version, followed by the slots that it covers. */
	struct space_version *v = arena_alloc(a, sizeof(*v) + r.n * sizeof(v->before[0]));
	struct space_slot *covered = (struct space_slot *)(v + 1);

	if (!l->n || moment_holds(at, sp->first))
		sp->first = at;
	if (!l->n || moment_holds(sp->last, at))
		sp->last = at;
	space_layer_copy(l, &r, covered);
	*v = (struct space_version){ .since = at, .map = map, .before = covered, .n_before = r.n };
	space_cover(l, &r, covered, &(struct space_slot){ start, end, v });
}

/* The parameters for copying slots of another space into @to. */
struct slot_copy {
	struct space *to;
	struct arena *arena;
	struct moment at; /* state at this moment is laid as if from the beginning; */
	bool later_too;   /* later state is laid over it, or left out */
	const struct space_copying *copying; /* copies maps; NULL: they stay the same */
};

static void copy_slot(const struct slot_copy *c, uint64_t start, uint64_t end,
		      const struct map *map, struct moment at)
{
	/* If nothing is mapped there, there is nothing to hide. */
	if (!map && !c->to->below && !space_layer_range(&c->to->top, start, end).n)
		return;
	if (map && c->copying)
		map = c->copying->map(c->copying->arg, map);
	space_lay(c->to, c->arena, start, end, map, at);
}

/*
 * Copies the slots within [@start, @end). @levels limits how many versions back are read: little
 * comes later, so it is usually one or none.
 */
static void copy_slots(const struct slot_copy *c, const struct space_slot *slots, size_t n,
		       uint64_t start, uint64_t end, unsigned levels)
{
	for (size_t i = space_slots_at(slots, n, start); i < n && slots[i].start < end; i++) {
		const struct space_version *v = slots[i].version;
		uint64_t s = slots[i].start > start ? slots[i].start : start;
		uint64_t e = slots[i].end < end ? slots[i].end : end;
		bool is_later = !moment_holds(v->since, c->at);

		if (is_later && levels)
			copy_slots(c, v->before, v->n_before, s, e, levels - 1);
		if (!is_later)
			copy_slot(c, s, e, v->map, (struct moment){ 0 });
		else if (c->later_too)
			copy_slot(c, s, e, v->map, v->since);
	}
}

/* Skips processes in between that have neither dumps nor execs. */
static void inherit_jit_code(struct space *sp, const struct space *parent, struct moment at)
{
	while (parent && !parent->jit.latest) {
		at = parent->jit_below_at;
		parent = parent->jit_below;
	}
	sp->jit_below = parent;
	sp->jit_below_at = at;
}

static void copy_layer(const struct slot_copy *c, const struct space_layer *l)
{
	for (size_t i = 0; i < l->n_leaves; i++)
		copy_slots(c, l->leaves[i].slots, l->leaves[i].n, 0, UINT64_MAX, LEVELS_MAX);
}

/* Copies everything visible in @sp at @at into c->to, the lowest space first. */
static void copy_visible(struct slot_copy *c, const struct space *sp, struct moment at)
{
	const struct space *chain[DEPTH_MAX + 1];
	struct moment when[DEPTH_MAX + 1];
	size_t n = 0;

	for (; sp && n <= DEPTH_MAX; at = sp->below_at, sp = sp->below) {
		chain[n] = sp;
		when[n++] = at;
	}
	while (n--) {
		c->at = when[n];
		copy_layer(c, &chain[n]->top);
	}
}

static void lie_over(struct space *sp, const struct space *below, struct moment at)
{
	sp->below = below;
	sp->below_at = at;
	sp->depth = below ? below->depth + 1 : 0;
}

struct space *space_fork(struct arena *a, const struct space *parent, struct moment at)
{
	struct space *sp = space_new(a);

	inherit_jit_code(sp, parent, at);
	/* The parent has nothing of its own yet, so everything visible is its parent's. */
	while (!parent->top.n && parent->below) {
		at = parent->below_at;
		parent = parent->below;
	}
	if (parent->depth < DEPTH_MAX) {
		lie_over(sp, parent, at);
		return sp;
	}
	copy_visible(&(struct slot_copy){ .to = sp, .arena = a }, parent, at);
	return sp;
}

/*
 * Copies the JIT code that @sp inherited and that @to shows from @from on, in spaces without maps.
 */
static void copy_inherited_code(struct space_copying *c, struct space *to, const struct space *sp,
				struct moment from)
{
	const struct space *below = sp->jit_below;
	struct space *copy;

	if (!below || jit_history_has_executed(&to->jit, from))
		return;
	copy = space_new(c->arena);
	copy->jit = jit_history_copy(&below->jit, sp->jit_below_at, c->arena, c->jit, c->arg);
	copy_inherited_code(c, copy, below, sp->jit_below_at);
	if (copy->jit.has_dumps || copy->jit_below)
		inherit_jit_code(to, copy, sp->jit_below_at);
}

/*
 * Copies the space below @sp. It may have changed since the fork, and a copy of it would keep all
 * the changes.
 */
static void copy_below(struct space_copying *c, struct space *to, const struct space *sp)
{
	struct slot_copy seen = { .to = to, .arena = c->arena, .copying = c };

	if (!sp->below)
		return;
	if (moment_holds(sp->below->last, sp->below_at))
		lie_over(to, space_copy(c, sp->below), sp->below_at);
	else
		copy_visible(&seen, sp->below, sp->below_at);
}

struct space *space_copy(struct space_copying *c, const struct space *sp)
{
	struct space *to = u64_map_find(&c->done, (uintptr_t)sp);

	if (to)
		return to;
	to = space_new(c->arena);
	u64_map_put(&c->done, (uintptr_t)sp, to);
	copy_below(c, to, sp);
	copy_layer(&(struct slot_copy){ .to = to,
					.arena = c->arena,
					.at = c->from,
					.later_too = true,
					.copying = c },
		   &sp->top);
	to->jit = jit_history_copy(&sp->jit, c->from, c->arena, c->jit, c->arg);
	copy_inherited_code(c, to, sp, c->from);
	return to;
}

struct space_walk {
	void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map);
	void *arg;
};

static void walk_space(const struct space_walk *w, const struct space *sp, uint64_t start,
		       uint64_t end, struct moment at);

/* Visits the maps visible in [@start, @end) where @sp itself has nothing. */
static void space_walk_below(const struct space_walk *w, const struct space *sp, uint64_t start,
			     uint64_t end)
{
	if (start < end && sp->below)
		walk_space(w, sp->below, start, end, sp->below_at);
}

/*
 * Visits the maps that slots of @sp, or earlier versions of them, show in [@start, @end), up to the
 * end of the last slot, which is returned; @levels as for copy_slots().
 */
static uint64_t walk_slots(const struct space_walk *w, const struct space *sp,
			   const struct space_slot *slots, size_t n, uint64_t start, uint64_t end,
			   struct moment at, unsigned levels)
{
	for (size_t i = space_slots_at(slots, n, start); i < n && slots[i].start < end; i++) {
		const struct space_version *v = slots[i].version;
		uint64_t from = slots[i].start > start ? slots[i].start : start;
		uint64_t to = slots[i].end < end ? slots[i].end : end;

		space_walk_below(w, sp, start, from);
		start = to;
		if (!moment_holds(v->since, at) && levels) {
			from = walk_slots(w, sp, v->before, v->n_before, from, to, at, levels - 1);
			space_walk_below(w, sp, from, to);
		} else if (moment_holds(v->since, at) && v->map) {
			w->each(w->arg, from, to, v->map);
		}
	}
	return start;
}

static void walk_space(const struct space_walk *w, const struct space *sp, uint64_t start,
		       uint64_t end, struct moment at)
{
	const struct space_layer *l = &sp->top;

	for (size_t i = space_layer_leaf(l, start); i < l->n_leaves && start < end; i++)
		start = walk_slots(w, sp, l->leaves[i].slots, l->leaves[i].n, start, end, at,
				   LEVELS_MAX);
	space_walk_below(w, sp, start, end);
}

void space_for_each(const struct space *sp, struct moment at,
		    void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map),
		    void *arg)
{
	walk_space(&(struct space_walk){ each, arg }, sp, 0, UINT64_MAX, at);
}
