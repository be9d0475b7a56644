/* SPDX-License-Identifier: MIT */
/*
 * A function that was inlined has an abstract entry with its name. Its out-of-line code, its clones
 * (foo.part.0, foo.constprop.0) and its inlined copies are entries that refer to the abstract one.
 * Any other function with code has one entry.
 */
#include "dwarf/debug-instances.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"

/* Entries do not nest deeper than this. */
#define DEPTH_MAX 200

/* An entry of a function with the name. Numbers of candidates count from 1; 0 is none. */
struct debug_instances_candidate {
	uint64_t entry, origin; /* @origin: its abstract entry, or 0 */
	enum debug_function_kind kind;
	size_t copies, next; /* number of the first entry that refers to this one; next entry with
				the same origin */
};

struct candidates {
	struct debug_info *info;
	struct debug_instances_candidate *items;
	size_t n, room;
	struct u64_map by_entry; /* numbers of the items, by entry */
};

static struct debug_instances_candidate *candidate_find(const struct candidates *l, uint64_t entry)
{
	size_t number = (size_t)u64_map_find(&l->by_entry, entry);

	return number ? &l->items[number - 1] : NULL;
}

static int note_candidate(void *arg, const struct debug_function *f)
{
	struct candidates *l = arg;
	struct debug_instances_candidate c = { .entry = f->entry, .kind = f->kind };
	Dwarf_Attribute a;
	Dwarf_Die die, origin;

	/* A function is found twice if both its name and its linkage name match. */
	if (candidate_find(l, f->entry) || !debug_info_die(l->info, f->entry, &die))
		return 0;
	if (f->kind == DEBUG_FUNCTION_CODE && dwarf_attr(&die, DW_AT_abstract_origin, &a) &&
	    dwarf_formref_die(&a, &origin))
		c.origin = debug_info_entry(l->info, &origin);
	*ARRAY_ADD(l) = c;
	u64_map_put(&l->by_entry, f->entry, (void *)l->n);
	return 0;
}

/* Links copies from the last to the first, so that the lists are in order. */
static void link_copies(struct candidates *l)
{
	for (size_t i = l->n; i-- > 0;) {
		struct debug_instances_candidate *c = &l->items[i];
		struct debug_instances_candidate *origin = candidate_find(l, c->origin);

		if (!c->origin || !origin)
			continue;
		c->next = origin->copies;
		origin->copies = i + 1;
	}
}

struct gathering {
	struct debug_info *info;
	struct debug_instances *ret;
};

static int debug_instances_gather(void *arg, uint64_t copy, uint64_t unit)
{
	struct gathering *g = arg;
	Dwarf_Die die;

	(void)unit;
	if (debug_info_die(g->info, copy, &die))
		*ARRAY_ADD(g->ret) = (struct debug_instance){ copy, die };
	return 0;
}

static int debug_instances_by_entry(const void *a, const void *b)
{
	const struct debug_instance *x = a, *y = b;

	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Moves @at to the sibling that is @die, or contains @die. */
static void step_beside(Dwarf_Die *at, const Dwarf_Die *die)
{
	Dwarf_Die next;

	while (at->addr != die->addr && dwarf_siblingof(at, &next) == 0 &&
	       (uintptr_t)next.addr <= (uintptr_t)die->addr &&
	       (uintptr_t)next.addr > (uintptr_t)at->addr)
		*at = next;
}

static bool debug_instances_is_inside(Dwarf_Die *outer, const Dwarf_Die *die)
{
	Dwarf_Die at = *outer;

	step_beside(&at, die);
	if (at.addr != outer->addr)
		return false;
	for (unsigned depth = 0; depth < DEPTH_MAX && at.addr != die->addr; depth++) {
		if (dwarf_child(&at, &at) != 0)
			return false;
		step_beside(&at, die);
	}
	return at.addr == die->addr;
}

/*
 * Drops nested copies. If the compiler has inlined only the beginning of a function, the rest may
 * be a copy within the copy, which is not another call.
 */
static void drop_nested(struct debug_instances *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!n || !debug_instances_is_inside(&l->items[n - 1].die, &l->items[i].die))
			l->items[n++] = l->items[i];
	l->n = n;
}

static void instances_of(const struct candidates *l, const struct debug_instances_candidate *c,
			 bool only_real, struct debug_instances *ret)
{
	struct gathering g = { l->info, ret };

	if (c->kind == DEBUG_FUNCTION_CODE)
		debug_instances_gather(&g, c->entry, 0);
	else if (!only_real)
		debug_info_inlined(l->info, c->entry, debug_instances_gather, &g);
	for (size_t i = c->copies; i; i = l->items[i - 1].next)
		debug_instances_gather(&g, l->items[i - 1].entry, 0);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(ret->items[0]), debug_instances_by_entry);
	drop_nested(ret);
}

static bool is_in_file(struct debug_instances *l, const char *tail)
{
	const char *file;
	uint32_t line;

	return !tail || (debug_entry_line(&l->items[0].die, &file, &line) &&
			 debug_file_has_tail(file, tail));
}

int debug_instances_each(struct debug_info *d, const struct debug_name *name,
			 int (*each)(void *arg, struct debug_instances *l), void *arg)
{
	struct candidates all = { .info = d };
	int r = debug_info_functions(d, name->function, note_candidate, &all);

	link_copies(&all);
	for (size_t i = 0; i < all.n && !r; i++) {
		struct debug_instances l = { 0 };

		if (all.items[i].origin && candidate_find(&all, all.items[i].origin))
			continue;
		instances_of(&all, &all.items[i], name->only_real, &l);
		if (l.n && is_in_file(&l, name->file))
			r = each(arg, &l);
		free(l.items);
	}
	u64_map_done(&all.by_entry);
	free(all.items);
	return r;
}

/*
 * Entries are in depth-first order, so the search descends into the last one that begins before
 * @die.
 */
bool debug_function_around(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Die at, found = { 0 };

	if (!dwarf_diecu(die, &at, NULL, NULL))
		return false;
	for (unsigned depth = 0; depth < DEPTH_MAX && at.addr != die->addr; depth++) {
		if (dwarf_child(&at, &at) != 0)
			break;
		step_beside(&at, die);
		if (dwarf_tag(&at) == DW_TAG_subprogram)
			found = at;
	}
	*ret = found;
	return found.addr;
}
