/* SPDX-License-Identifier: MIT */
#include "code/types/held.h"

#include <stdlib.h>
#include <string.h>

#include "base/c-type.h"
#include "base/memory.h"

/*
 * More stack slots are not followed, because the time of a merge grows with the square of their
 * number.
 */
#define SLOTS_MAX 128

/* A smaller link address is a number. */
#define NUMBER_MAX 4096

/* No array has a larger stride. */
#define STRIDE_MAX (1u << 30)

static bool is_small(struct held h)
{
	return h.kind == HELD_ADDRESS && h.offset < NUMBER_MAX && h.offset > -NUMBER_MAX;
}

struct held held_of_type(const struct c_type *t)
{
	const struct c_type *bare = c_type_bare(t);

	if (!bare)
		return (struct held){ .kind = HELD_UNKNOWN };
	if (bare->kind != C_POINTER && bare->kind != C_REFERENCE)
		return (struct held){ .kind = HELD_NUMBER, .stride = 1, .value = t };
	return (struct held){ .kind = HELD_POINTER, .type = c_type_target(bare), .value = t };
}

struct held held_plus(struct held h, int64_t n)
{
	if (h.kind != HELD_UNKNOWN)
		h.offset = (int64_t)((uint64_t)h.offset + (uint64_t)n);
	if (n)
		h.value = NULL;
	return h;
}

static bool is_pointer(struct held h)
{
	return h.kind >= HELD_POINTER && !is_small(h);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint64_t held_distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static struct held any_number(uint64_t stride)
{
	return (struct held){ .kind = HELD_NUMBER,
			      .stride = stride && stride < STRIDE_MAX ? stride : 1 };
}

/* Converts to a number: an unknown value or a pointer may be any number. */
static struct held as_number(struct held h)
{
	if (h.kind == HELD_NUMBER || h.kind == HELD_ADDRESS)
		return (struct held){ .kind = HELD_NUMBER, .offset = h.offset, .stride = h.stride };
	return any_number(1);
}

/* Converts a number without a stride to a constant, which may be an address as well. */
static struct held settled_number(struct held h)
{
	if (!h.stride)
		h.kind = HELD_ADDRESS;
	return h;
}

/* Returns @h with the number @n added. */
static struct held held_moved(struct held h, struct held n)
{
	h = held_plus(h, n.offset);
	h.stride = common_divisor(h.stride, n.stride);
	h.value = NULL;
	return h;
}

/*
 * True if @h is the base of a sum: of a pointer and the address of an object, the address is a
 * number.
 */
static bool is_base(struct held h, struct held other)
{
	return is_pointer(h) &&
	       (h.kind != HELD_ADDRESS || !is_pointer(other) || other.kind == HELD_ADDRESS);
}

struct held held_sum(struct held a, struct held b)
{
	if (is_base(a, b) && is_base(b, a))
		return (struct held){ .kind = HELD_UNKNOWN };
	if (is_base(a, b))
		return held_moved(a, as_number(b));
	if (is_base(b, a))
		return held_moved(b, as_number(a));
	if (a.kind == HELD_UNKNOWN || b.kind == HELD_UNKNOWN)
		return (struct held){ .kind = HELD_UNKNOWN };
	return settled_number(held_moved(as_number(a), as_number(b)));
}

struct held held_difference(struct held a, struct held b)
{
	struct held n = as_number(b);

	if (is_pointer(b))
		return is_pointer(a) ? any_number(1) : (struct held){ .kind = HELD_UNKNOWN };
	n.offset = (int64_t)(0 - (uint64_t)n.offset);
	return held_sum(a, n.stride ? n : settled_number(n));
}

struct held held_scaled(struct held h, uint64_t n)
{
	struct held number = as_number(h);

	if (n == 0 || n >= STRIDE_MAX || number.stride >= STRIDE_MAX ||
	    held_distance(number.offset, 0) >= STRIDE_MAX)
		return any_number(1);
	number.offset *= (int64_t)n;
	number.stride *= n;
	return number.stride ? number : settled_number(number);
}

struct held held_product(struct held a, struct held b)
{
	bool is_constant = b.kind == HELD_ADDRESS && !b.stride && b.offset > 0;

	return is_constant ? held_scaled(a, (uint64_t)b.offset) : any_number(1);
}

static bool is_null(struct held h)
{
	return h.kind == HELD_ADDRESS && !h.offset && !h.stride;
}

static bool held_is_number(struct held h)
{
	return h.kind == HELD_NUMBER || is_small(h);
}

/* Returns either of two offsets. */
static struct held either_offset(struct held a, struct held b)
{
	a.stride = common_divisor(common_divisor(a.stride, b.stride),
				  held_distance(a.offset, b.offset));
	return a;
}

/* Merges without looking at @value. */
static struct held code_held_merge(struct held a, struct held b)
{
	if (is_null(a) && b.kind == HELD_POINTER)
		return b;
	if (is_null(b) && a.kind == HELD_POINTER)
		return a;
	if (held_is_number(a) && held_is_number(b))
		return settled_number(either_offset(as_number(a), as_number(b)));
	if (a.kind != b.kind || a.type != b.type)
		return (struct held){ .kind = HELD_UNKNOWN };
	/* A pointer that is moved in a loop points into an array. */
	return a.kind == HELD_UNKNOWN ? a : either_offset(a, b);
}

struct held held_merge(struct held a, struct held b)
{
	struct held merged = code_held_merge(a, b);

	/* A null pointer has any type. */
	if (a.value != b.value && !is_null(a) && !is_null(b))
		merged.value = NULL;
	return merged;
}

struct held held_choose(struct held a, struct held b)
{
	if (!is_pointer(a))
		return b;
	return is_pointer(b) ? held_merge(a, b) : a;
}

void held_state_done(struct held_state *s)
{
	free(s->slots);
	s->slots = NULL;
	s->n_slots = s->room = 0;
}

void held_state_copy(struct held_state *to, const struct held_state *from)
{
	memcpy(to->regs, from->regs, sizeof(to->regs));
	to->slots = array_reserve(to->slots, &to->room, from->n_slots, sizeof(to->slots[0]));
	to->n_slots = from->n_slots;
	if (from->n_slots)
		memcpy(to->slots, from->slots, from->n_slots * sizeof(to->slots[0]));
}

static bool held_same(const struct held *a, const struct held *b)
{
	return a->kind == b->kind && a->type == b->type && a->offset == b->offset &&
	       a->stride == b->stride && a->value == b->value;
}

static bool merge_into(struct held *a, const struct held *b)
{
	struct held merged;

	if (held_same(a, b))
		return false;
	merged = held_merge(*a, *b);
	if (held_same(a, &merged))
		return false;
	*a = merged;
	return true;
}

bool held_state_merge(struct held_state *s, const struct held_state *other)
{
	bool changed = false;
	size_t kept = 0;

	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		changed |= merge_into(&s->regs[i], &other->regs[i]);
	for (size_t i = 0; i < s->n_slots; i++) {
		struct held there = held_slot_get(other, s->slots[i].offset, s->slots[i].size);

		changed |= merge_into(&s->slots[i].held, &there);
		if (s->slots[i].held.kind != HELD_UNKNOWN)
			s->slots[kept++] = s->slots[i];
	}
	s->n_slots = kept;
	return changed;
}

struct held held_slot_get(const struct held_state *s, int64_t offset, uint64_t size)
{
	for (size_t i = 0; i < s->n_slots; i++)
		if (s->slots[i].offset == offset && s->slots[i].size == size)
			return s->slots[i].held;
	return (struct held){ .kind = HELD_UNKNOWN };
}

void held_slot_set(struct held_state *s, int64_t offset, uint64_t size, struct held h)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_slots; i++)
		if (s->slots[i].offset + (int64_t)s->slots[i].size <= offset ||
		    s->slots[i].offset >= offset + (int64_t)(size ? size : 8))
			s->slots[kept++] = s->slots[i];
	s->n_slots = kept;
	if (h.kind == HELD_UNKNOWN || !size || kept >= SLOTS_MAX)
		return;
	s->slots = array_reserve(s->slots, &s->room, kept + 1, sizeof(s->slots[0]));
	s->slots[s->n_slots++] = (struct held_slot){ .offset = offset, .size = size, .held = h };
}

void held_state_clobber(struct held_state *s, uint32_t clobbered)
{
	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		if (clobbered >> i & 1)
			s->regs[i] = (struct held){ .kind = HELD_UNKNOWN };
}
