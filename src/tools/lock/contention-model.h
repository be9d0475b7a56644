/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who waits for locks, and how long: the rows of `perf lock contention`.
 *
 *	events:  lock:contention_begin/end ─► lock_contention_consumer() ─┐
 *	                                                                  ├─► rows ─► view/lock/
 *	counted: maps of a BPF program, ─► lock_contention_add() ─────────┘
 *	         futexes, an entry each
 *
 * Both ways filter, name and merge alike. lock_contention_add() takes one wait or the sums of many:
 * whoever counts in the kernel reads its maps at the end and adds each entry, with the members that
 * its key has; what the key lacks stays 0. Two entries of one row are merged. Then
 * lock_contention_sort() makes the rows, which a view prints.
 *
 * Memory grows with distinct stacks and rows, and with waits that are open at once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/lock/names-model.h"
#include "tools/lock/type-model.h"

struct consumer;
struct diag;
struct lock_contention;
struct lock_events;
struct sample_filter;

/* What a row stands for. */
enum lock_by {
	LOCK_BY_CALLER, /* a stack, named by the function that wants the lock */
	LOCK_BY_TASK,   /* a thread that waits, or with @owners one that others wait for */
	LOCK_BY_ADDR,   /* a lock */
	LOCK_BY_CGROUP, /* that of the thread which waits */
};

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

/* What is not left out; each empty one lets everything pass. Texts are borrowed. */
struct lock_filters {
	struct lock_types types;
	/* Names of locks may be those of user space: then they need not be symbols of the kernel.
	 */
	bool user;
	/* Locks, by address or by the name of a kernel symbol (settled when names are known). */
	struct {
		const char **items;
		size_t n, room;
	} locks;
	/* Parts of names, one of which a function of the stack must have. */
	struct {
		const char **items;
		size_t n, room;
	} callers;
	struct {
		uint64_t *items;
		size_t n, room;
	} cgroups;
};

void lock_filters_done(struct lock_filters *f);

#define LOCK_STACK_DEPTH 8 /* unless --max-stack says otherwise */
#define LOCK_STACK_MAX   127
#define LOCK_STACK_SKIP  3

struct lock_contention_options {
	enum lock_by by;
	/*
	 * Rows of `perf lock report`: where the kernel has lockdep, its events count too, and locks
	 * are named by their class. Else they are named by who waited for them first.
	 */
	bool acquisitions;
	bool keep_threads;   /* for lock_contention_threads() */
	bool owners;         /* stacks and tasks are those that hold locks: 7.2's -o */
	uint32_t stack_skip; /* frames that are certainly not the caller's */
	uint32_t max_stack;  /* frames that are looked at */
	bool keep_stacks;    /* rows have their stack, for -v */
	const struct lock_filters *filters; /* borrowed */
	/* Events of other threads are passed over; borrowed, NULL: all count. */
	const struct sample_filter *threads;
	struct lock_names names;
};

/* Waits for a lock: one, or the sums of those that belong to one row. */
struct lock_waits {
	uint32_t pid, tid; /* who waits; with owners, who holds it */
	uint64_t addr;     /* of the lock */
	uint64_t cgroup;
	uint32_t flags;        /* tools/lock/type-model.h */
	const uint64_t *stack; /* innermost first, without PERF_CONTEXT_* markers; or NULL */
	size_t n_stack;
	uint64_t contended;
	uint64_t total_ns, max_ns, min_ns;
};

struct lock_row {
	uint64_t acquired, contended;
	uint64_t total_ns, max_ns, min_ns, avg_ns;
	uint32_t flags; /* of the first wait */
	uint32_t pid, tid;
	uint64_t addr, cgroup;
	/* "mutex_lock+0x84"; the thread; the lock's symbol or ""; the path. May hold anything. */
	const char *name;
	const uint64_t *stack; /* if they are kept */
	size_t n_stack;
	bool is_broken; /* events are missing */
};

/* What could not be counted, for the trailer. */
struct lock_failures {
	/*
	 * Events that cannot follow the one before, each row's first one: after it the row is
	 * marked as broken.
	 */
	uint64_t acquire, acquired, contended, release;
	/* Of who counts in the kernel: no room for a task, a stack, a time, a row. */
	uint64_t task, stack, time, data;
};

struct lock_contention *lock_contention_new(const struct lock_contention_options *o);
void lock_contention_free(struct lock_contention *m);
DEFINE_FREEP(lock_contention)

/*
 * A consumer that takes lock:contention_begin and contention_end in order of time. Others may be
 * recorded as well: it passes over them.
 */
void lock_contention_consumer(struct lock_contention *m, struct consumer *ret);

/* Adds @w to the row it belongs to, unless a filter leaves it out. */
void lock_contention_add(struct lock_contention *m, const struct lock_waits *w);

/* What went wrong; whoever counts in the kernel adds to it. */
struct lock_failures *lock_contention_failures(struct lock_contention *m);

/* Which kinds of events were recorded, when they are known. */
const struct lock_events *lock_contention_events(const struct lock_contention *m);

/* Names of --lock-filter that the kernel does not have, which were passed over. */
const char *const *lock_contention_unknown_locks(const struct lock_contention *m, size_t *ret_n);

/* Begins that have no end so far. */
uint64_t lock_contention_open(const struct lock_contention *m);

struct lock_sort {
	enum lock_field key; /* the largest first */
	bool combine;        /* rows with the same class of locks become one */
};

/*
 * The rows, and how many they are. Those that are equal come in the order of Linux's perf. They are
 * valid until the model is freed or something is added.
 */
const struct lock_row *lock_contention_sort(struct lock_contention *m, const struct lock_sort *how,
					    size_t *ret_n);

/* The same, by name and address. */
const struct lock_row *lock_contention_list(struct lock_contention *m, size_t *ret_n);

/* The threads that had to do with locks, by number; as above. */
const uint32_t *lock_contention_threads(struct lock_contention *m, size_t *ret_n);
