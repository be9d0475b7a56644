/* SPDX-License-Identifier: MIT */
#include "hwtrace/aux-writes.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "wire/abi.h"

struct write_list {
	struct aux_write *items;
	size_t n, room;
	uint64_t end; /* end of the last write */
};

/* True if the record gives a range: offsets of a snapshot have another meaning. */
static bool tells_stretch(const struct aux_write *w)
{
	return w->size && !(w->flags & PERF_AUX_FLAG_OVERWRITE);
}

static void list_add(struct u64_map *lists, uint32_t key, const struct aux_write *w)
{
	struct write_list *l = u64_map_find(lists, key);

	if (!l) {
		l = xcalloc(1, sizeof(*l));
		u64_map_put(lists, key, l);
	}
	if (w->offset < l->end)
		return;
	*ARRAY_ADD(l) = *w;
	l->end = w->size < UINT64_MAX - w->offset ? w->offset + w->size : UINT64_MAX;
}

void aux_writes_add(struct aux_writes *a, const struct aux_write *w, size_t n)
{
	for (; a->n < n; a->n++) {
		if (!tells_stretch(&w[a->n]))
			continue;
		list_add(&a->of_cpu, w[a->n].cpu, &w[a->n]);
		list_add(&a->of_thread, w[a->n].tid, &w[a->n]);
	}
}

static void list_free(void *arg, uint64_t key, void *value)
{
	struct write_list *l = value;

	(void)arg, (void)key;
	free(l->items);
	free(l);
}

void aux_writes_done(struct aux_writes *a)
{
	u64_map_for_each(&a->of_cpu, list_free, NULL);
	u64_map_for_each(&a->of_thread, list_free, NULL);
	u64_map_done(&a->of_cpu);
	u64_map_done(&a->of_thread);
}

const struct aux_write *aux_writes_from(const struct aux_writes *a, uint32_t cpu, uint32_t tid,
					uint64_t offset, size_t *ret_n)
{
	const struct write_list *l = cpu != AUX_NONE ? u64_map_find(&a->of_cpu, cpu)
						     : u64_map_find(&a->of_thread, tid);
	size_t first = l ? BISECT(i, l->n, l->items[i].offset < offset) : 0;

	if (!l || first == l->n)
		return NULL;
	*ret_n = l->n - first;
	return &l->items[first];
}
