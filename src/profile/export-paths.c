/* SPDX-License-Identifier: MIT */
#include "profile/export-paths.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "profile/export.h"

struct export_path {
	uint64_t id, parent, symbol, addr;
	struct export_path *next; /* the next one with the same hash */
};

void export_paths_done(struct export_paths *p)
{
	u64_map_done(&p->nodes);
	arena_done(&p->arena);
	free(p->fresh.items);
}

static uint64_t export_paths_hash_of(uint64_t parent, uint64_t symbol, uint64_t addr)
{
	uint64_t seed = hash_seed();

	return hash_u64(seed, hash_u64(seed, hash_u64(seed, parent) ^ symbol) ^ addr);
}

static uint64_t export_paths_add(struct export_paths *p, uint64_t parent, uint64_t symbol,
				 uint64_t addr)
{
	struct export_path *n = arena_alloc(&p->arena, sizeof(*n));
	uint64_t hash = export_paths_hash_of(parent, symbol, addr);

	n->id = ++p->last;
	n->parent = parent;
	n->symbol = symbol;
	n->addr = addr;
	n->next = u64_map_find(&p->nodes, hash);
	u64_map_put(&p->nodes, hash, n);
	*ARRAY_ADD(&p->fresh) = n;
	return n->id;
}

uint64_t export_paths_root(struct export_paths *p)
{
	return p->last ? 1 : export_paths_add(p, 0, 0, 0);
}

uint64_t export_paths_step(struct export_paths *p, uint64_t parent, uint64_t symbol, uint64_t addr)
{
	struct export_path *n = u64_map_find(&p->nodes, export_paths_hash_of(parent, symbol, addr));

	for (; n; n = n->next)
		if (n->parent == parent && n->symbol == symbol && n->addr == addr)
			return n->id;
	return export_paths_add(p, parent, symbol, addr);
}

int export_paths_rows(struct export_paths *p, struct export_rows *rows)
{
	int r = 0;

	for (size_t i = 0; !r && i < p->fresh.n; i++) {
		const struct export_path *n = p->fresh.items[i];
		const struct export_value values[] = { { .number = (int64_t)n->id },
						       { .number = (int64_t)n->parent },
						       { .number = (int64_t)n->symbol },
						       { .number = (int64_t)n->addr } };

		r = export_row(rows, EXPORT_CALL_PATH, values, ARRAY_SIZE(values));
	}
	p->fresh.n = 0;
	return r;
}
