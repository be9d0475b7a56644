/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sort keys of the tables of `perf kmem stat`. What is larger comes first, whatever the key.
 */
#include <stddef.h>

struct diag;

enum kmem_allocator {
	KMEM_SLAB, /* rows are struct slab_row */
	KMEM_PAGE, /* rows are struct kmem_page_row */
};

/* As many as one of them has. */
#define KMEM_KEYS_MAX 8

struct kmem_key;

struct kmem_keys {
	const struct kmem_key *items[KMEM_KEYS_MAX]; /* each once */
	size_t n;
};

/* The keys without --sort: frag,hit,bytes of slab, and bytes,hit of pages. */
struct kmem_keys kmem_keys_default(enum kmem_allocator a);

/*
 * Parses names with commas between them. -EINVAL with @diag: an unknown one; *@ret is untouched
 * then.
 */
int kmem_keys_parse(enum kmem_allocator a, const char *text, struct kmem_keys *ret,
		    struct diag *diag);

/*
 * The @n rows of @size bytes each at @rows by @keys; those that are equal stay in the order that
 * they have there. The caller frees the array.
 */
const void **kmem_keys_sort(const struct kmem_keys *keys, const void *rows, size_t n, size_t size);
