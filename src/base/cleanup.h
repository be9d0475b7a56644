/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Scope-bound ownership.
 *
 * A local variable that owns something is declared with _cleanup_(fn) and is released on every way
 * out of its scope. On success, TAKE() hands it over. Cleanup functions take a pointer to the
 * variable and accept one that holds NULL.
 */
#include <stdlib.h>

#define _cleanup_(fn) __attribute__((cleanup(fn)))

/* Returns the value of the pointer @p, which then no longer owns it. */
#define TAKE(p)                                                                                    \
	({                                                                                         \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Defines type_freep() from a type_free() that accepts NULL. */
#define DEFINE_FREEP(type)                                                                         \
	static inline void type##_freep(struct type **p)                                           \
	{                                                                                          \
		type##_free(*p);                                                                   \
	}

static inline void freep(void *p)
{
	free(*(void **)p);
}

/*
 * Close and release helpers for objects that the C library opens. NULL and negative descriptors are
 * accepted.
 */
void fclosep(void *file);
void closedirp(void *dir);
void closep(int *fd);
