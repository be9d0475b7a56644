/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kinds of locks in `flags` of lock:contention_begin (include/trace/events/lock.h), and their
 * names: "mutex", "rwsem:R".
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
	/* Our own flag: a futex of user space, not a lock of the kernel. */
	LOCK_USER = 1 << 30,
	/* With LOCK_USER: a condition, a semaphore, or the end of a thread, which are not locks. */
	LOCK_CONDITION = 1 << 29,
};

/* Returns the name for tables: "rwlock:W"; "unknown" if there is none. */
const char *lock_type_name(uint32_t flags);

/* Returns a name that is the same for readers and writers: "rwlock", "percpu-rwsem". */
const char *lock_type_of_lock(uint32_t flags);

/* The flags of types; one item for each type. */
struct lock_types {
	uint32_t *items;
	size_t n, room;
};

/*
 * Adds the types of a list such as "mutex,rwsem:R". A name without :R or :W means both. Returns
 * -EINVAL with @diag if a word of the list is not a type.
 */
int lock_types_parse(struct lock_types *t, const char *list, struct diag *diag);
void lock_types_done(struct lock_types *t);

bool lock_types_have(const struct lock_types *t, uint32_t flags);

/* True if one of them is a type of futexes. */
bool lock_types_have_user(const struct lock_types *t);
