/* SPDX-License-Identifier: MIT */
#include "tools/lock/sequences-model.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

#define ROOM_MIN 256

void lock_sequences_done(struct lock_sequences *s)
{
	free(s->slots);
	*s = (struct lock_sequences){ 0 };
}

static size_t lock_sequences_home(const struct lock_sequences *s, uint32_t tid, uint64_t addr)
{
	return hash_u64(s->seed, hash_u64(s->seed, addr) ^ tid) & (s->room - 1);
}

/* Returns the slot of @tid and @addr, or the free slot for them. */
static struct lock_sequence *lock_sequences_slot_of(const struct lock_sequences *s, uint32_t tid,
						    uint64_t addr)
{
	for (size_t i = lock_sequences_home(s, tid, addr);; i = (i + 1) & (s->room - 1)) {
		struct lock_sequence *q = &s->slots[i];

		if (q->state == LOCK_STATE_NONE || (q->addr == addr && q->tid == tid))
			return q;
	}
}

static void lock_sequences_grow(struct lock_sequences *s)
{
	struct lock_sequences old = *s;

	s->seed = hash_seed();
	s->room = old.room ? 2 * old.room : ROOM_MIN;
	s->slots = xcalloc(s->room, sizeof(*s->slots));
	s->n = 0;
	for (size_t i = 0; i < old.room; i++)
		if (old.slots[i].state != LOCK_STATE_NONE) {
			*lock_sequences_slot_of(s, old.slots[i].tid,
						old.slots[i].addr) = old.slots[i];
			s->n++;
		}
	free(old.slots);
}

struct lock_sequence *lock_sequence_get(struct lock_sequences *s, uint32_t tid, uint64_t addr)
{
	struct lock_sequence *q;

	if (s->n >= s->room / 2)
		lock_sequences_grow(s);
	q = lock_sequences_slot_of(s, tid, addr);
	if (q->state == LOCK_STATE_NONE)
		*q = (struct lock_sequence){ .tid = tid, .addr = addr };
	return q;
}

/* Frees the slot @hole. Entries that were put into a later slot because it was occupied move up. */
static void remove_slot(struct lock_sequences *s, size_t hole)
{
	size_t mask = s->room - 1;

	for (size_t i = (hole + 1) & mask; s->slots[i].state != LOCK_STATE_NONE;
	     i = (i + 1) & mask) {
		size_t wanted = lock_sequences_home(s, s->slots[i].tid, s->slots[i].addr);

		if (((i - wanted) & mask) >= ((i - hole) & mask)) {
			s->slots[hole] = s->slots[i];
			hole = i;
		}
	}
	s->slots[hole].state = LOCK_STATE_NONE;
	s->n--;
}

void lock_sequence_set(struct lock_sequences *s, struct lock_sequence *q, enum lock_state state,
		       uint64_t time)
{
	if (state == LOCK_STATE_NONE) {
		if (q->state != LOCK_STATE_NONE)
			remove_slot(s, (size_t)(q - s->slots));
		return;
	}
	s->n += q->state == LOCK_STATE_NONE;
	q->state = state;
	q->time = time;
}
