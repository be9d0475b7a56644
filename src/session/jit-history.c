/* SPDX-License-Identifier: MIT */
#include "session/jit-history.h"

#include "base/arena.h"
#include "session/jit-maps.h"
#include "session/span.h"

/* Entries, latest first: nearly always an entry is added and looked up at the front. */
struct jit_history_entry {
	struct jit_history_entry *before;
	struct moment at;
	const struct jit_maps *jit; /* NULL: the entry is an exec */
};

/* Returns the place for an entry of @at: after all later ones. */
static struct jit_history_entry **jit_history_place_of(struct jit_history *m, struct moment at)
{
	struct jit_history_entry **e = &m->latest;

	while (*e && !moment_holds((*e)->at, at))
		e = &(*e)->before;
	return e;
}

static void put_in(struct jit_history *m, struct arena *a, const struct jit_maps *jit,
		   struct moment at)
{
	struct jit_history_entry **where = jit_history_place_of(m, at),
				 *e = arena_alloc(a, sizeof(*e));

	*e = (struct jit_history_entry){ .before = *where, .at = at, .jit = jit };
	*where = e;
}

/*
 * Returns the entries of the program that ran at @at: from *@ret_first up to the result, which is
 * its exec (NULL: to the end).
 */
static const struct jit_history_entry *find_program(const struct jit_history *m, struct moment at,
						    struct span *span,
						    const struct jit_history_entry **ret_first)
{
	const struct jit_history_entry *e;

	*ret_first = m->latest;
	for (e = m->latest; e; e = e->before) {
		if (e->jit)
			continue;
		if (moment_holds(e->at, at)) {
			span_since(span, e->at.time);
			return e;
		}
		span_before(span, e->at.time);
		*ret_first = e->before;
	}
	return NULL;
}

void jit_history_add(struct jit_history *m, struct arena *a, const struct jit_maps *jit,
		     struct moment at)
{
	struct span span = SPAN_ALWAYS;
	const struct jit_history_entry *first, *exec = find_program(m, at, &span, &first);

	for (const struct jit_history_entry *e = first; e != exec; e = e->before)
		if (e->jit == jit)
			return;
	put_in(m, a, jit, at);
	m->has_dumps = true;
}

void jit_history_exec(struct jit_history *m, struct arena *a, struct moment at)
{
	put_in(m, a, NULL, at);
}

bool jit_history_has_executed(const struct jit_history *m, struct moment at)
{
	struct span span = SPAN_ALWAYS;
	const struct jit_history_entry *first;

	return find_program(m, at, &span, &first);
}

const struct map *jit_history_find(const struct jit_history *m, uint64_t addr, struct moment at,
				   struct span *span, bool *ret_executed)
{
	const struct jit_history_entry *first, *exec = find_program(m, at, span, &first);
	const struct map *map = NULL;

	*ret_executed = exec;
	for (const struct jit_history_entry *e = first; e != exec && !map; e = e->before)
		map = jit_maps_find(e->jit, addr, at.time, span);
	return map;
}

struct jit_history
jit_history_copy(const struct jit_history *m, struct moment from, struct arena *a,
		 const struct jit_maps *(*jit)(void *arg, const struct jit_maps *j), void *arg)
{
	struct jit_history copy = { 0 };
	struct jit_history_entry **end = &copy.latest;

	for (const struct jit_history_entry *e = m->latest; e; e = e->before) {
		*end = arena_alloc(a, sizeof(**end));
		**end = (struct jit_history_entry){ .at = e->at,
						    .jit = e->jit ? jit(arg, e->jit) : NULL };
		end = &(*end)->before;
		copy.has_dumps |= e->jit != NULL;
		/* The program that ran at @from begins here. */
		if (!e->jit && moment_holds(e->at, from))
			break;
	}
	return copy;
}
