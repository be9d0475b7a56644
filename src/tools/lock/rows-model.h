/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows of the tables of locks, by key.
 *
 * Linux's perf keeps rows in a hash table and sorts them by one column. Rows with equal values stay
 * in the order of that table. lock_rows_sort() gives the same order.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

/* Columns, which are sort keys as well. */
enum lock_field {
	LOCK_FIELD_ACQUIRED,
	LOCK_FIELD_CONTENDED,
	LOCK_FIELD_AVG_WAIT,
	LOCK_FIELD_WAIT_TOTAL,
	LOCK_FIELD_WAIT_MAX,
	LOCK_FIELD_WAIT_MIN,
};
#define LOCK_FIELDS (LOCK_FIELD_WAIT_MIN + 1)

struct lock_row {
	uint64_t acquired, contended;
	uint64_t total_ns, max_ns, min_ns, avg_ns;
	uint32_t flags; /* those of the first wait */
	uint32_t pid, tid;
	uint64_t addr, cgroup;
	/*
	 * "mutex_lock+0x84"; the thread; the lock's symbol or ""; the path. It may contain any
	 * bytes.
	 */
	const char *name;
	const uint64_t *stack; /* NULL unless stacks are kept */
	size_t n_stack;
	bool is_broken; /* some of its events are missing */
};

struct lock_sort {
	enum lock_field key; /* the largest value comes first */
	bool combine;        /* merge rows with the same class of locks */
};

/* A row that has no name of a thread and no mean yet. */
struct lock_entry {
	struct lock_row row;
	uint64_t key;
	uint64_t waits; /* the number of waits in the total */
};

/* A table of rows. `struct lock_rows r = { 0 };` is an empty one. */
struct lock_rows {
	struct arena arena; /* owns the entries and their data */
	struct u64_map by_key;
	struct lock_entry **items; /* in the order in which they were added */
	size_t n, room;
	struct lock_row *sorted; /* the last result */
};

void lock_rows_done(struct lock_rows *r);

/* Returns the entry with @key, or NULL. O(1). */
struct lock_entry *lock_rows_find(const struct lock_rows *r, uint64_t key);

/* Adds an entry with @key, which must be new. */
struct lock_entry *lock_rows_add(struct lock_rows *r, uint64_t key);

/* Adds a wait, or many, to @e. */
void lock_entry_wait(struct lock_entry *e, uint64_t waits, uint64_t total_ns, uint64_t max_ns,
		     uint64_t min_ns);

/* Returns all rows in the order of @how. They are valid until the next call. */
struct lock_row *lock_rows_sort(struct lock_rows *r, const struct lock_sort *how, size_t *ret_n);
