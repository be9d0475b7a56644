/* SPDX-License-Identifier: MIT */
#include "session/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "session/machine.h"
#include "session/span.h"

/* Forks of forks that all have maps of their own: beyond this a fork copies what it sees. */
#define DEPTH_MAX  8
#define LEVELS_MAX 64

struct space_version {
	struct moment since;
	const struct map *map;
	/* What the slot's range, and maybe more, held before; n is 0 where there was nothing. */
	const struct space_slot *before;
	size_t n_before;
};

struct space *space_new(struct arena *a)
{
	return arena_alloc(a, sizeof(struct space));
}

void space_done(struct space *sp)
{
	free(sp->top.slots);
	sp->top = (struct space_layer){ 0 };
}

/* The first of @n slots that ends behind @addr. */
static size_t slot_at(const struct space_slot *slots, size_t n, uint64_t addr)
{
	size_t low = 0;

	while (n) {
		size_t half = n / 2;

		if (slots[low + half].end <= addr) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* The version at @addr that holds at @at, or NULL; @span is narrowed to where and when it is seen.
 */
static const struct space_version *version_at(const struct space_slot *slots, size_t n,
					      uint64_t addr, struct moment at, struct span *span)
{
	for (;;) {
		size_t i = slot_at(slots, n, addr);

		if (i == n || slots[i].start > addr) {
			span_within(span, i ? slots[i - 1].end : 0,
				    i < n ? slots[i].start : UINT64_MAX);
			return NULL;
		}
		span_within(span, slots[i].start, slots[i].end);

		const struct space_version *v = slots[i].version;

		if (moment_holds(v->since, at)) {
			span_since(span, v->since.time);
			return v;
		}
		span_before(span, v->since.time);
		slots = v->before;
		n = v->n_before;
	}
}

/* What lies below a space is of one moment, so only the space itself says how long. */
const struct map *space_find_span(const struct space *sp, uint64_t addr, struct moment at,
				  struct span *span)
{
	const struct space_version *v = NULL;
	struct span below = SPAN_ALWAYS, *narrowed = span;

	for (; sp && !v; at = sp->below_at, sp = sp->below, narrowed = &below)
		v = version_at(sp->top.slots, sp->top.n, addr, at, narrowed);
	span_within(span, below.start, below.end);
	return v ? v->map : NULL;
}

const struct map *space_find(const struct space *sp, uint64_t addr, struct moment at)
{
	struct span span = SPAN_ALWAYS;

	return space_find_span(sp, addr, at, &span);
}

const struct space *space_seen(const struct space *sp, struct moment at, struct span *span)
{
	/* Code that the parent makes after the fork is not in the child. */
	if (!sp->below || sp->below->jit || !moment_holds(sp->below->last, sp->below_at))
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
	size_t i = slot_at(sp->top.slots, sp->top.n, addr);

	if (i < sp->top.n && sp->top.slots[i].start <= addr)
		i++;
	return i < sp->top.n ? sp->top.slots[i].start : otherwise;
}

static bool same_map(const struct map *a, const struct map *b)
{
	return a == b || (a && b && a->start == b->start && a->end == b->end &&
			  a->pgoff == b->pgoff && a->prot == b->prot && a->flags == b->flags &&
			  a->name == b->name && a->image == b->image);
}

/* A copy of the slots from @from up to @to. */
static const struct space_slot *keep(struct arena *a, const struct space_layer *l, size_t from,
				     size_t to)
{
	size_t size = (to - from) * sizeof(l->slots[0]);

	return size ? memcpy(arena_alloc(a, size), &l->slots[from], size) : NULL;
}

/* Puts @with, @n of them, in the place of the slots from @from up to @to. */
static void replace(struct space_layer *l, size_t from, size_t to, const struct space_slot *with,
		    size_t n)
{
	l->slots = array_reserve(l->slots, &l->room, l->n - (to - from) + n, sizeof(l->slots[0]));
	memmove(&l->slots[from + n], &l->slots[to], (l->n - to) * sizeof(l->slots[0]));
	memcpy(&l->slots[from], with, n * sizeof(l->slots[0]));
	l->n = l->n - (to - from) + n;
}

void space_lay(struct space *sp, struct arena *a, uint64_t start, uint64_t end,
	       const struct map *map, struct moment at)
{
	struct space_layer *l = &sp->top;
	size_t from = slot_at(l->slots, l->n, start), to = from;
	struct space_slot with[3];
	size_t n = 0;

	if (end <= start)
		return;
	while (to < l->n && l->slots[to].start < end)
		to++;
	if (to == from + 1 && l->slots[from].start == start && l->slots[from].end == end &&
	    same_map(l->slots[from].version->map, map))
		return;

	struct space_version *v = arena_alloc(a, sizeof(*v));

	if (!l->n || moment_holds(at, sp->first))
		sp->first = at;
	if (!l->n || moment_holds(sp->last, at))
		sp->last = at;
	*v = (struct space_version){ .since = at, .map = map, .n_before = to - from };
	v->before = keep(a, l, from, to);

	if (from < to && l->slots[from].start < start)
		with[n++] = (struct space_slot){ l->slots[from].start, start,
						 l->slots[from].version };
	with[n++] = (struct space_slot){ start, end, v };
	if (from < to && l->slots[to - 1].end > end)
		with[n++] = (struct space_slot){ end, l->slots[to - 1].end,
						 l->slots[to - 1].version };
	replace(l, from, to, with, n);
}

/*
 * Lays what the @n slots held at @at within [@start, @end) into @to. @levels bounds how far later
 * maps are looked beneath: a fork sees nearly all that was laid, so there is one, or none.
 */
static void copy_visible(struct space *to, struct arena *a, const struct space_slot *slots,
			 size_t n, uint64_t start, uint64_t end, struct moment at, unsigned levels)
{
	for (size_t i = slot_at(slots, n, start); i < n && slots[i].start < end; i++) {
		const struct space_version *v = slots[i].version;
		uint64_t s = slots[i].start > start ? slots[i].start : start;
		uint64_t e = slots[i].end < end ? slots[i].end : end;

		if (moment_holds(v->since, at))
			space_lay(to, a, s, e, v->map, (struct moment){ 0 });
		else if (levels)
			copy_visible(to, a, v->before, v->n_before, s, e, at, levels - 1);
	}
}

struct space *space_fork(struct arena *a, const struct space *parent, struct moment at)
{
	struct space *sp = space_new(a);

	/* Nothing of its own yet: what shows through is the parent's. */
	while (!parent->top.n && parent->below) {
		at = parent->below_at;
		parent = parent->below;
	}
	if (parent->depth < DEPTH_MAX) {
		sp->below = parent;
		sp->below_at = at;
		sp->depth = parent->depth + 1;
		return sp;
	}

	const struct space *chain[DEPTH_MAX + 1];
	struct moment when[DEPTH_MAX + 1];
	size_t n = 0;

	for (; parent; at = parent->below_at, parent = parent->below) {
		chain[n] = parent;
		when[n++] = at;
	}
	while (n--)
		copy_visible(sp, a, chain[n]->top.slots, chain[n]->top.n, 0, UINT64_MAX, when[n],
			     LEVELS_MAX);
	return sp;
}

struct space_walk {
	void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map);
	void *arg;
};

static void walk_space(const struct space_walk *w, const struct space *sp, uint64_t start,
		       uint64_t end, struct moment at);

/* What shows in [@start, @end) where @sp itself has nothing. */
static void walk_below(const struct space_walk *w, const struct space *sp, uint64_t start,
		       uint64_t end)
{
	if (start < end && sp->below)
		walk_space(w, sp->below, start, end, sp->below_at);
}

/* The same of slots of @sp, or of what they held before; @levels as for copy_visible(). */
static void walk_slots(const struct space_walk *w, const struct space *sp,
		       const struct space_layer *l, uint64_t start, uint64_t end, struct moment at,
		       unsigned levels)
{
	for (size_t i = slot_at(l->slots, l->n, start); i < l->n && l->slots[i].start < end; i++) {
		const struct space_version *v = l->slots[i].version;
		const struct space_layer before = { (struct space_slot *)v->before, v->n_before,
						    0 };
		uint64_t from = l->slots[i].start > start ? l->slots[i].start : start;
		uint64_t to = l->slots[i].end < end ? l->slots[i].end : end;

		walk_below(w, sp, start, from);
		if (!moment_holds(v->since, at) && levels)
			walk_slots(w, sp, &before, from, to, at, levels - 1);
		else if (moment_holds(v->since, at) && v->map)
			w->each(w->arg, from, to, v->map);
		start = to;
	}
	walk_below(w, sp, start, end);
}

static void walk_space(const struct space_walk *w, const struct space *sp, uint64_t start,
		       uint64_t end, struct moment at)
{
	walk_slots(w, sp, &sp->top, start, end, at, LEVELS_MAX);
}

void space_for_each(const struct space *sp, struct moment at,
		    void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map),
		    void *arg)
{
	walk_space(&(struct space_walk){ each, arg }, sp, 0, UINT64_MAX, at);
}
