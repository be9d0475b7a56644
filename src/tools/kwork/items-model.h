/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Work items of the kernel: an interrupt, softirq or work item on a CPU, with its sums.
 *
 * A begin waits in its item for its end. An end takes the last begin of its item that still waits,
 * because work may be interrupted by work of its own kind.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/kwork/event-model.h"

struct kwork_begin {
	uint64_t time;
	uint64_t raised; /* when the work was requested; 0: not known */
	char *stack;     /* owned; NULL: none */
};

/*
 * The maximum number of waiting begins of an item. The kernel nests few of them. When begins pile
 * up, their ends were not recorded; the older half is then dropped.
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
	bool has_no_name; /* the name will never be known */
	uint64_t count;   /* the number of runs, or of runs after a raise */
	uint64_t sum_ns;  /* the sum of run times, or of delays */
	uint64_t max_ns, max_begin, max_end;
	struct kwork_begins raised, begun;
};

/* A table of items. `struct kwork_items t = { 0 };` is an empty one after kwork_items_init(). */
struct kwork_items {
	struct kwork_item **items; /* in the order in which they were added */
	size_t n, room;
	uint32_t *slots; /* a hash table of positions in items, plus 1; 0: free */
	size_t n_slots;  /* a power of two */
	uint64_t seed;
};

void kwork_items_init(struct kwork_items *t);
void kwork_items_done(struct kwork_items *t);

/* Returns the item, or NULL. O(1). */
struct kwork_item *kwork_items_find(const struct kwork_items *t, enum kwork_class class,
				    uint32_t cpu, uint64_t id);

/* Returns the item. A new item is added. */
struct kwork_item *kwork_items_get(struct kwork_items *t, enum kwork_class class, uint32_t cpu,
				   uint64_t id);

/* Adds to @ret, which is empty, the counts and sums of @t minus those of @before. */
void kwork_items_subtract(const struct kwork_items *t, const struct kwork_items *before,
			  struct kwork_items *ret);

/* Adds a run, or a wait, from @begin to @end. */
void kwork_item_add(struct kwork_item *item, uint64_t begin, uint64_t end);

/* Adds a begin that waits for its end. @b takes ownership of its contents. */
void kwork_begins_push(struct kwork_begins *b, struct kwork_begin begin);

/* Removes the last begin. False: there is none. The caller owns *@ret. */
bool kwork_begins_pop(struct kwork_begins *b, struct kwork_begin *ret);

/* Returns the number of begins that have not found an end so far. */
uint64_t kwork_begins_unmatched(const struct kwork_begins *b);
