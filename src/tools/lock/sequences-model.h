/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How far each thread is with each lock: it asks for it, waits, has it.
 *
 * A hash table by thread and lock. Memory grows with the pairs that have a state.
 */
#include <stddef.h>
#include <stdint.h>

enum lock_state {
	LOCK_STATE_NONE, /* nothing is known; of a free slot too */
	LOCK_STATE_ACQUIRING,
	LOCK_STATE_ACQUIRED,
	LOCK_STATE_READ_ACQUIRED,
	LOCK_STATE_CONTENDED,
};

struct lock_sequence {
	uint64_t addr;
	uint64_t time; /* of the event before */
	uint32_t tid;
	uint32_t readers; /* how often it was acquired for reading */
	enum lock_state state;
};

/* `struct lock_sequences s = { 0 };` is empty. */
struct lock_sequences {
	struct lock_sequence *slots;
	size_t n, room; /* room is a power of two */
	uint64_t seed;  /* of base/hash.h; 0 while it is empty */
};

void lock_sequences_done(struct lock_sequences *s);

/*
 * The state of @tid at the lock @addr; LOCK_STATE_NONE if it has none so far. Valid until the next
 * call of any function here. O(1).
 */
struct lock_sequence *lock_sequence_get(struct lock_sequences *s, uint32_t tid, uint64_t addr);

/* @q, the result of the last call, is in @state since @time; with LOCK_STATE_NONE it is removed. */
void lock_sequence_set(struct lock_sequences *s, struct lock_sequence *q, enum lock_state state,
		       uint64_t time);
