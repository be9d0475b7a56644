/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Allocation that cannot fail, and growable arrays.
 *
 * For small sizes that our own code chooses: when memory is exhausted nothing sensible can be done,
 * so these functions print a message on standard error and end the process. A size that was read
 * from input never comes here unchecked: bound it first.
 */
#include <stdarg.h>
#include <stddef.h>

/* The exit status of a process that ends because memory is exhausted. */
#define MEMORY_GONE_STATUS 1

/*
 * Reports that @wanted bytes (0: unknown) cannot be allocated, and ends the process. May be called
 * from any thread.
 */
void memory_gone(size_t wanted) __attribute__((noreturn));

void *xmalloc(size_t size) __attribute__((malloc));
void *xcalloc(size_t n, size_t size) __attribute__((malloc));
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s) __attribute__((malloc));
char *xstrndup(const char *s, size_t n) __attribute__((malloc));
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list ap) __attribute__((format(printf, 1, 0)));

/*
 * Grows an array, which has three fields in its owner: `T *items; size_t n, room;`. array_reserve()
 * allocates capacity for @n items of @size bytes, by doubling, and returns the storage.
 */
void *array_reserve(void *items, size_t *room, size_t n, size_t size);

/* Appends one zeroed item to @a and yields a pointer to it. */
#define ARRAY_ADD(a)                                                                               \
	({                                                                                         \
		__typeof__(a) a_ = (a);                                                            \
		a_->items = array_reserve(a_->items, &a_->room, a_->n + 1, sizeof(a_->items[0]));  \
		__builtin_memset(&a_->items[a_->n], 0, sizeof(a_->items[0]));                      \
		&a_->items[a_->n++];                                                               \
	})
