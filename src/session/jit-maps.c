/* SPDX-License-Identifier: MIT */
#include "session/jit-maps.h"

#include <sys/mman.h>

#include "base/arena.h"
#include "session/machine.h"
#include "session/span.h"
#include "symbol/jit-code.h"

struct jit_maps {
	const struct jit_code *code;
	const struct jit_load *loads; /* the first entry of @code */
	struct map *maps;             /* one for each of the loads */
	const char *name;
};

const struct jit_maps *jit_maps_new(struct arena *a, const struct jit_code *c, const char *name)
{
	struct jit_maps *j = arena_alloc(a, sizeof(*j));
	size_t n;

	j->code = c;
	j->name = name;
	j->loads = jit_code_loads(c, &n);
	j->maps = arena_alloc(a, n * sizeof(j->maps[0]));
	for (size_t i = 0; i < n; i++)
		j->maps[i] = (struct map){ .start = j->loads[i].start,
					   .end = j->loads[i].end,
					   .prot = PROT_READ | PROT_EXEC,
					   .flags = MAP_PRIVATE,
					   .name = name,
					   .image = j->loads[i].image };
	return j;
}

const struct jit_code *jit_maps_code(const struct jit_maps *j)
{
	return j->code;
}

const char *jit_maps_name(const struct jit_maps *j)
{
	return j->name;
}

const struct map *jit_maps_find(const struct jit_maps *j, uint64_t addr, uint64_t time,
				struct span *span)
{
	const struct jit_load *l = jit_code_find(j->code, addr, time, &span->from, &span->until);

	/* Small pieces of JIT code may be anywhere, so the answer holds only for this address. */
	span_within(span, addr, addr + 1);
	return l ? &j->maps[l - j->loads] : NULL;
}
