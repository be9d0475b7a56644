/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Kinds of locks, as lock:contention_begin tells them in `flags` (include/trace/events/lock.h), and
 * their names: "mutex", "rwsem:R".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

/* The kernel's LCB_F_*. */
enum {
	LOCK_SPIN = 1 << 0,
	LOCK_READ = 1 << 1,
	LOCK_WRITE = 1 << 2,
	LOCK_RT = 1 << 3,
	LOCK_PERCPU = 1 << 4,
	LOCK_MUTEX = 1 << 5,
	/* Ours: no lock of the kernel, but a futex that user space waits for. */
	LOCK_USER = 1 << 30,
	/* With LOCK_USER: a condition, a semaphore, the end of a thread; no lock. */
	LOCK_CONDITION = 1 << 29,
};

/* The name that tables show: "rwlock:W"; "unknown" if there is none. */
const char *lock_type_name(uint32_t flags);

/* The same for readers and writers: "rwlock", "percpu-rwsem". */
const char *lock_type_of_lock(uint32_t flags);

/* Flags of types; one item for each. */
struct lock_types {
	uint32_t *items;
	size_t n, room;
};

/*
 * Adds the types of a list such as "mutex,rwsem:R"; a name without :R or :W means both. -EINVAL
 * with @diag: the list has a word that is no type.
 */
int lock_types_parse(struct lock_types *t, const char *list, struct diag *diag);
void lock_types_done(struct lock_types *t);

bool lock_types_have(const struct lock_types *t, uint32_t flags);

/* Is one of them a type of futexes? */
bool lock_types_have_user(const struct lock_types *t);
