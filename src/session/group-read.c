/* SPDX-License-Identifier: MIT */
#include "session/group-read.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "session/session.h"

struct group_reads {
	struct arena arena;
	struct u64_map last; /* uint64_t: the count at the last reading, by id and task */
	struct {
		struct group_share *items;
		size_t n, room;
	} shares;
};

struct group_reads *group_reads_new(void)
{
	return xcalloc(1, sizeof(struct group_reads));
}

void group_reads_free(struct group_reads *g)
{
	if (!g)
		return;
	u64_map_done(&g->last);
	arena_done(&g->arena);
	free(g->shares.items);
	free(g);
}

bool group_reads_wanted(const struct session_event *e)
{
	return e->attr.sample_type & PERF_SAMPLE_READ;
}

/*
 * Returns the count since the last reading. Tasks that inherited the event count separately, under
 * the same id.
 */
static uint64_t since_last(struct group_reads *g, const struct read_value *v, uint32_t task)
{
	uint64_t key = v->id << 32 | task;
	uint64_t *last = u64_map_find(&g->last, key), before;

	if (!last) {
		last = arena_alloc(&g->arena, sizeof(*last));
		u64_map_put(&g->last, key, last);
	}
	before = *last;
	*last = v->value;
	return v->value - before;
}

size_t group_reads_share(struct group_reads *g, const struct session *s,
			 const struct sample *sample, const struct group_share **ret)
{
	g->shares.n = 0;
	for (size_t i = 0; i < sample->read.n; i++) {
		struct read_value v = record_read_value(&sample->read, i);

		/* A single count may have no id; the sample has it then. */
		if (!(sample->read.read_format & PERF_FORMAT_ID))
			v.id = sample->id;

		const struct session_event *e = session_event_by_id(s, v.id);
		uint64_t period = e ? since_last(g, &v, e->attr.inherit ? sample->tid : 0) : 0;

		if (period)
			*ARRAY_ADD(&g->shares) = (struct group_share){ e, period };
	}
	*ret = g->shares.items;
	return g->shares.n;
}
