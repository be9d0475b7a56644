/* SPDX-License-Identifier: MIT */
#include "tools/lock/filter-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/hash.h"
#include "base/memory.h"

void lock_filters_done(struct lock_filters *f)
{
	lock_types_done(&f->types);
	free(f->locks.items);
	free(f->callers.items);
	free(f->cgroups.items);
	*f = (struct lock_filters){ 0 };
}

static int lock_filter_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Parses a word: digits are an address, with or without 0x; anything else is a name. */
static bool find_lock(const char *word, const struct lock_names *names, uint64_t *ret)
{
	char *end;
	uint64_t addr = strtoull(word, &end, 16);

	if (end == word || *end)
		return names->find(names->arg, word, ret);
	*ret = addr;
	return true;
}

void lock_filter_init(struct lock_filter *ret, const struct lock_filters *f,
		      const struct lock_names *names)
{
	*ret = (struct lock_filter){ .request = f };
	if (!f || !f->locks.n)
		return;
	ret->addrs = xcalloc(f->locks.n, sizeof(*ret->addrs));
	ret->unknown = xcalloc(f->locks.n, sizeof(*ret->unknown));
	for (size_t i = 0; i < f->locks.n; i++)
		if (find_lock(f->locks.items[i], names, &ret->addrs[ret->n_addrs]))
			ret->n_addrs++;
		else if (!f->user)
			ret->unknown[ret->n_unknown++] = f->locks.items[i];
	qsort(ret->addrs, ret->n_addrs, sizeof(*ret->addrs), lock_filter_compare);
}

void lock_filter_done(struct lock_filter *f)
{
	free(f->addrs);
	free(f->unknown);
	u64_map_done(&f->stacks);
	*f = (struct lock_filter){ 0 };
}

bool lock_filter_needs_stacks(const struct lock_filter *f)
{
	return f->request && f->request->callers.n;
}

static bool has_lock(const struct lock_filter *f, uint64_t addr)
{
	size_t i = BISECT(at, f->n_addrs, f->addrs[at] < addr);

	return i < f->n_addrs && f->addrs[i] == addr;
}

static bool name_is_wanted(const struct lock_filters *f, const char *name)
{
	for (size_t i = 0; i < f->callers.n; i++)
		if (strstr(name, f->callers.items[i]))
			return true;
	return false;
}

static bool stack_is_wanted(const struct lock_filters *f, const struct lock_names *names,
			    const struct lock_waits *w)
{
	struct lock_symbol sym;

	for (size_t i = 0; i < w->n_stack; i++)
		if (names->symbol(names->arg, w->pid, w->stack[i], &sym) &&
		    name_is_wanted(f, sym.name))
			return true;
	return false;
}

/* Does the same, but checks each stack only once. */
static bool stack_passes(struct lock_filter *f, const struct lock_names *names,
			 const struct lock_waits *w)
{
	static const char yes, no;
	uint64_t seed = hash_seed();
	uint64_t hash = hash_u64(seed, w->pid) ^ hash_bytes(seed, w->stack, w->n_stack * 8);
	const char *known = u64_map_find(&f->stacks, hash);

	if (!known) {
		known = stack_is_wanted(f->request, names, w) ? &yes : &no;
		u64_map_put(&f->stacks, hash, (void *)known);
	}
	return known == &yes;
}

static bool has_cgroup(const struct lock_filters *f, uint64_t id)
{
	for (size_t i = 0; i < f->cgroups.n; i++)
		if (f->cgroups.items[i] == id)
			return true;
	return false;
}

/*
 * True if locks of the kernel are filtered. Those of user space were filtered before, by their
 * names (tools/lock/futex-events-model.h).
 */
static bool limits_locks(const struct lock_filter *f)
{
	return f->n_addrs || (f->request->user && f->request->locks.n);
}

bool lock_filter_passes(struct lock_filter *f, const struct lock_names *names,
			const struct lock_waits *w)
{
	const struct lock_filters *rq = f->request;

	if (!rq)
		return true;
	if (rq->types.n && !lock_types_have(&rq->types, w->flags))
		return false;
	if (limits_locks(f) && w->addr && !(w->flags & LOCK_USER) && !has_lock(f, w->addr))
		return false;
	if (rq->cgroups.n && w->cgroup && !has_cgroup(rq, w->cgroup))
		return false;
	return !rq->callers.n || !w->stack || stack_passes(f, names, w);
}
