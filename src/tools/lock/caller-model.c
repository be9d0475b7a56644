/* SPDX-License-Identifier: MIT */
#include "tools/lock/caller-model.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/text.h"

/* hash_64() of the kernel's include/linux/hash.h. Linux's perf keeps 32 bits of it. */
#define GOLDEN_RATIO UINT64_C(0x61c8864680b583eb)

void lock_code_find(struct lock_code *c, const struct lock_names *names)
{
	static const char *const bounds[][2] = {
		{ "__sched_text_start", "__sched_text_end" },
		{ "__lock_text_start", "__lock_text_end" },
	};

	*c = (struct lock_code){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		uint64_t start, end;

		if (names->find(names->arg, bounds[i][0], &start) &&
		    names->find(names->arg, bounds[i][1], &end)) {
			c->ranges[i].start = start;
			c->ranges[i].end = end;
		}
	}
}

static bool is_lock_function(const struct lock_code *c, uint64_t ip)
{
	return (ip >= c->ranges[0].start && ip < c->ranges[0].end) ||
	       (ip >= c->ranges[1].start && ip < c->ranges[1].end);
}

uint64_t lock_stack_key(const struct lock_code *c, const struct lock_stack *s, size_t skip)
{
	uint64_t hash = 0;

	for (size_t i = skip; i < s->n; i++)
		if (!is_lock_function(c, s->ips[i]))
			hash ^= s->ips[i] * GOLDEN_RATIO;
	return (uint32_t)hash;
}

const char *lock_stack_caller(const struct lock_code *c, const struct lock_names *names,
			      const struct lock_stack *s, size_t skip, uint32_t pid,
			      struct arena *arena)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct lock_symbol sym;

	for (size_t i = skip; i < s->n; i++) {
		if (is_lock_function(c, s->ips[i]) ||
		    !names->symbol(names->arg, pid, s->ips[i], &sym))
			continue;
		text_add(&t, sym.name);
		if (sym.offset)
			text_addf(&t, "+0x%" PRIx64, sym.offset);
		return arena_strndup(arena, t.chars, t.length);
	}
	return "Unknown";
}
