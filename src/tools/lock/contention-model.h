/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts waits for locks and their times: the rows of `perf lock contention`.
 *
 *	events:  lock:contention_begin/end ─► lock_contention_consumer() ─┐
 *	                                                                  ├─► rows ─► a view
 *	counted: maps of a BPF program, ─► lock_contention_add() ─────────┘
 *	         futexes, an entry each
 *
 * Both ways filter, name and merge in the same way. lock_contention_add() takes one wait or the
 * sums of many. After counting in the kernel, the caller reads the maps at the end and adds each
 * entry, with the members that its key has; other members stay 0. Two entries of the same row are
 * merged. Then lock_contention_sort() makes the rows, which a view prints.
 *
 * Memory grows with distinct stacks and rows, and with waits that are open at the same time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/lock/filter-model.h"
#include "tools/lock/names-model.h"
#include "tools/lock/rows-model.h"
#include "tools/lock/type-model.h"

struct consumer;
struct diag;
struct lock_contention;
struct lock_events;
struct sample_filter;

/* The meaning of a row. */
enum lock_by {
	LOCK_BY_CALLER, /* a stack, named by the function that wants the lock */
	LOCK_BY_TASK,   /* a waiting thread; with @owners, one that others wait for */
	LOCK_BY_ADDR,   /* a lock */
	LOCK_BY_CGROUP, /* the cgroup of the waiting thread */
};

#define LOCK_STACK_DEPTH 8 /* the default of --max-stack */
#define LOCK_STACK_MAX   127
#define LOCK_STACK_SKIP  3

struct lock_contention_options {
	enum lock_by by;
	/*
	 * Makes rows for `perf lock report`. If the kernel has lockdep, its events count too, and
	 * locks are named by their class. Otherwise they are named by the first caller that waited
	 * for them.
	 */
	bool acquisitions;
	bool keep_threads;                  /* needed by lock_contention_threads() */
	bool owners;                        /* stacks and tasks of the locks' holders: -o in 7.2 */
	uint32_t stack_skip;                /* frames to skip, which are never the caller's */
	uint32_t max_stack;                 /* the number of frames that are used */
	bool keep_stacks;                   /* keep the stacks of rows, for -v */
	const struct lock_filters *filters; /* borrowed */
	/* Events of other threads are ignored; borrowed. NULL: all threads count. */
	const struct sample_filter *threads;
	struct lock_names names;
};

/* Waits that could not be counted, for the trailer. */
struct lock_failures {
	/*
	 * Events that cannot follow the previous one. Only the first one of each row counts,
	 * because it marks the row as broken.
	 */
	uint64_t acquire, acquired, contended, release;
	/* When counting in the kernel: no space for a task, a stack, a time, a row. */
	uint64_t task, stack, time, data;
};

struct lock_contention *lock_contention_new(const struct lock_contention_options *o);
void lock_contention_free(struct lock_contention *m);
DEFINE_FREEP(lock_contention)

/*
 * Makes a consumer that takes lock:contention_begin and contention_end in order of time. It ignores
 * other recorded events.
 */
void lock_contention_consumer(struct lock_contention *m, struct consumer *ret);

/* Adds @w to its row, unless a filter rejects it. */
void lock_contention_add(struct lock_contention *m, const struct lock_waits *w);

/* Returns the failures. When counting in the kernel, the caller adds to them. */
struct lock_failures *lock_contention_failures(struct lock_contention *m);

/* Returns the kinds of events that were recorded, when they are known. */
const struct lock_events *lock_contention_events(const struct lock_contention *m);

/* Returns the names of --lock-filter that the kernel does not have, which were ignored. */
const char *const *lock_contention_unknown_locks(const struct lock_contention *m, size_t *ret_n);

/* Returns the number of begins that have no end so far. */
uint64_t lock_contention_open(const struct lock_contention *m);

/*
 * Returns the sorted rows, and their number. Equal rows have the order of Linux's perf. The rows
 * are valid until the model is freed or something is added.
 */
const struct lock_row *lock_contention_sort(struct lock_contention *m, const struct lock_sort *how,
					    size_t *ret_n);

/* Does the same, sorted by name and address. */
const struct lock_row *lock_contention_list(struct lock_contention *m, size_t *ret_n);

/* Returns the threads that used locks, sorted by number. They are valid as above. */
const uint32_t *lock_contention_threads(struct lock_contention *m, size_t *ret_n);
