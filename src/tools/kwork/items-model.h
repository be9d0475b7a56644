/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Work items of the kernel: an interrupt, softirq or work item on a CPU, with what it adds up to.
 *
 * A begin waits in its item for its end. An end takes the last begin of its item that still waits:
 * work may be interrupted by work of its own kind.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/kwork/event-model.h"

struct kwork_begin {
	uint64_t time;
	uint64_t raised; /* when it was to be done; 0: not known */
	char *stack;     /* owned; NULL: none */
};

/*
 * So many begins of an item wait at most. A kernel nests few; what piles up are begins whose end
 * was not recorded, of which the older half is given up then.
 */
#define KWORK_BEGINS_MAX 2048

struct kwork_begins {
	struct kwork_begin *items;
	size_t n, room;
	uint64_t given_up;
};

struct kwork_item {
	enum kwork_class class;
	uint32_t cpu;
	uint64_t id;
	char *name;       /* owned; NULL: not known */
	bool has_no_name; /* and will not be */
	uint64_t count;   /* how often it ran, or ran after it was raised */
	uint64_t sum_ns;  /* of run times, or of delays */
	uint64_t max_ns, max_begin, max_end;
	struct kwork_begins raised, begun;
};

/* `struct kwork_items t = { 0 };` is empty once kwork_items_init() was called. */
struct kwork_items {
	struct kwork_item **items; /* in the order in which they came */
	size_t n, room;
	uint32_t *slots; /* a hash table of positions in items, plus 1; 0: free */
	size_t n_slots;  /* a power of two */
	uint64_t seed;
};

void kwork_items_init(struct kwork_items *t);
void kwork_items_done(struct kwork_items *t);

/* The item, or NULL. O(1). */
struct kwork_item *kwork_items_find(const struct kwork_items *t, enum kwork_class class,
				    uint32_t cpu, uint64_t id);

/* The item; it is added if it is new. */
struct kwork_item *kwork_items_get(struct kwork_items *t, enum kwork_class class, uint32_t cpu,
				   uint64_t id);

/* Adds to @ret, which is empty, counts and sums of @t without those of @before. */
void kwork_items_subtract(const struct kwork_items *t, const struct kwork_items *before,
			  struct kwork_items *ret);

/* It ran, or waited, from @begin to @end. */
void kwork_item_add(struct kwork_item *item, uint64_t begin, uint64_t end);

/* A begin that waits for its end; what it owns is @b's from now on. */
void kwork_begins_push(struct kwork_begins *b, struct kwork_begin begin);

/* Takes the last one off. False: none waits. The caller owns *@ret. */
bool kwork_begins_pop(struct kwork_begins *b, struct kwork_begin *ret);

/* How many begins have found no end so far. */
uint64_t kwork_begins_unmatched(const struct kwork_begins *b);
