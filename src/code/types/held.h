/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The contents of a register or a stack slot, as far as they lead to the type of an object in
 * memory; and the contents of all of them at one place in the code.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/access.h"

struct c_type;

enum held_kind {
	HELD_UNKNOWN,
	HELD_NUMBER,  /* not a pointer: @offset, plus a multiple of @stride */
	HELD_POINTER, /* the address of an object of @type, plus @offset */
	HELD_ADDRESS, /* the link address @offset; or a number: the code does not show which */
	HELD_FRAME,   /* the canonical frame address of the function, plus @offset */
	HELD_THREAD,  /* the thread pointer, plus @offset */
};

struct held {
	enum held_kind kind;
	const struct c_type *type;
	int64_t offset;
	/* Any multiple of it may be added to @offset: an index of an array. 0: no index. */
	uint64_t stride;
	const struct c_type *value; /* the type of the contents themselves; NULL: not known */
};

/* Returns the contents of a variable of type @t. */
struct held held_of_type(const struct c_type *t);

/* Returns @h plus @n. */
struct held held_plus(struct held h, int64_t n);

/* Returns the sum of two values; an unknown one is treated as a number. */
struct held held_sum(struct held a, struct held b);

/* Returns @a minus @b. */
struct held held_difference(struct held a, struct held b);

/* Returns @h times @n: a number, whatever @h is. */
struct held held_scaled(struct held h, uint64_t n);

/* Returns the product of two values. */
struct held held_product(struct held a, struct held b);

/* Returns what is certain about a value that is either of the two. */
struct held held_merge(struct held a, struct held b);

/* Returns the more informative of two possible values: null pointers and numbers do not count. */
struct held held_choose(struct held a, struct held b);

/* A stack slot; offsets are those of HELD_FRAME. */
struct held_slot {
	int64_t offset;
	uint64_t size;
	struct held held;
};

struct held_state {
	struct held regs[ACCESS_REGISTERS];
	struct held_slot *slots; /* owned */
	size_t n_slots, room;
};

void held_state_done(struct held_state *s);
void held_state_copy(struct held_state *to, const struct held_state *from);

/* Keeps in @s only what both have in common. Returns true if @s changed. */
bool held_state_merge(struct held_state *s, const struct held_state *other);

/* Returns the contents of the slot of @size bytes at @offset. */
struct held held_slot_get(const struct held_state *s, int64_t offset, uint64_t size);

/* Sets the slot at @offset, and removes those that overlap it. */
void held_slot_set(struct held_state *s, int64_t offset, uint64_t size, struct held h);

/* Processes a call: the registers @clobbered are no longer known. */
void held_state_clobber(struct held_state *s, uint32_t clobbered);
