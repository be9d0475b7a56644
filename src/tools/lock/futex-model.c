/* SPDX-License-Identifier: MIT */
#include "tools/lock/futex-model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lock/contention-model.h"

static bool is_addr(const char *word, uint64_t addr)
{
	char *end;
	uint64_t wanted = strtoull(word, &end, 16);

	return end != word && !*end && wanted == addr;
}

static bool is_wanted_lock(const struct lock_filters *f, const struct futex_waits *w,
			   struct user_locks *u)
{
	struct lock_symbol sym;
	const char *name = NULL;

	if (!f->locks.n)
		return true;
	if (user_locks_symbol(u, w->wait.pid, w->addr, &sym))
		name = sym.name;
	for (size_t i = 0; i < f->locks.n; i++)
		if ((name && !strcmp(f->locks.items[i], name)) ||
		    is_addr(f->locks.items[i], w->addr))
			return true;
	return false;
}

uint64_t futex_waits_add(const struct futex_waits *w, struct user_locks *u,
			 const struct lock_filters *f, struct lock_contention *m)
{
	struct user_wait wait = user_locks_wait(u, &w->wait);

	if (!is_wanted_lock(f, w, u))
		return 0;
	if (wait.flags & LOCK_CONDITION && !lock_types_have(&f->types, wait.flags))
		return w->contended;
	lock_contention_add(m, &(struct lock_waits){
				       .pid = w->wait.pid,
				       .tid = w->tid,
				       .addr = w->addr,
				       .cgroup = w->cgroup,
				       .flags = wait.flags,
				       .stack = w->of_owner ? NULL : w->wait.stack + wait.skip,
				       .n_stack = w->of_owner ? 0 : w->wait.n_stack - wait.skip,
				       .contended = w->contended,
				       .total_ns = w->total_ns,
				       .max_ns = w->max_ns,
				       .min_ns = w->min_ns,
			       });
	return 0;
}
