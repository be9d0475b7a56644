/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The state of each thread at each lock: it requests the lock, waits, or has it.
 *
 * A hash table by thread and lock. Memory grows with the pairs that have a state.
 */
#include <stddef.h>
#include <stdint.h>

enum lock_state {
	LOCK_STATE_NONE, /* unknown; also the state of a free slot */
	LOCK_STATE_ACQUIRING,
	LOCK_STATE_ACQUIRED,
	LOCK_STATE_READ_ACQUIRED,
	LOCK_STATE_CONTENDED,
};

struct lock_sequence {
	uint64_t addr;
	uint64_t time; /* the time of the previous event */
	uint32_t tid;
	uint32_t readers; /* the number of times it was acquired for reading */
	enum lock_state state;
};

/* A table of states. `struct lock_sequences s = { 0 };` is an empty one. */
struct lock_sequences {
	struct lock_sequence *slots;
	size_t n, room; /* the capacity is a power of two */
	uint64_t seed;  /* the seed for base/hash.h; 0 while the table is empty */
};

void lock_sequences_done(struct lock_sequences *s);

/*
 * Returns the state of @tid at the lock @addr, or LOCK_STATE_NONE if it has none so far. The result
 * is valid until the next call of any function here. O(1).
 */
struct lock_sequence *lock_sequence_get(struct lock_sequences *s, uint32_t tid, uint64_t addr);

/* Sets @q, the result of the last call, to @state since @time. LOCK_STATE_NONE removes it. */
void lock_sequence_set(struct lock_sequences *s, struct lock_sequence *q, enum lock_state state,
		       uint64_t time);
