/* SPDX-License-Identifier: MIT */
#include "tools/script/frame-memo-view.h"

#include <stdlib.h>

#include "base/memory.h"

#define ENTRIES 2048 /* a power of two */

struct frame_memo_entry {
	struct frame_key key;
	uint32_t length;
	const char *chars; /* NULL: the entry is free */
	const struct frame_tail *tail;
	uint64_t from, until;
};

void frame_memo_done(struct frame_memo *m)
{
	free(m->entries);
}

static struct frame_memo_entry *frame_memo_slot_of(const struct frame_memo *m,
						   const struct frame_key *k)
{
	uint64_t pid = k->mode == ADDRESS_KERNEL ? 0 : k->pid;
	uint64_t hash = (k->ip ^ pid << 32) * 0x9e3779b97f4a7c15ULL;

	return &m->entries[(size_t)(hash >> 40) & (ENTRIES - 1)];
}

/* True if both keys are the same place. All processes have the same kernel. */
static bool frame_memo_is_same(const struct frame_key *a, const struct frame_key *b)
{
	return a->ip == b->ip && a->style == b->style && a->mode == b->mode &&
	       a->generation == b->generation && (a->pid == b->pid || a->mode == ADDRESS_KERNEL);
}

bool frame_memo_find(struct frame_memo *m, const struct frame_key *k, uint64_t moment,
		     struct frame_line *ret)
{
	const struct frame_memo_entry *e;
	struct span span;

	if (!m->entries)
		return false;
	e = frame_memo_slot_of(m, k);
	span = (struct span){ .from = e->from, .until = e->until };
	if (!e->chars || !frame_memo_is_same(&e->key, k) || !span_has(&span, moment))
		return false;
	*ret = (struct frame_line){ .chars = e->chars, .length = e->length, .tail = e->tail };
	return true;
}

void frame_memo_add(struct frame_memo *m, const struct frame_key *k, const struct span *span,
		    struct frame_line line)
{
	if (!m->entries)
		m->entries = xcalloc(ENTRIES, sizeof(*m->entries));
	*frame_memo_slot_of(m, k) = (struct frame_memo_entry){
		.key = *k,
		.length = (uint32_t)line.length,
		.chars = line.chars,
		.tail = line.tail,
		.from = span->from,
		.until = span->until,
	};
}
