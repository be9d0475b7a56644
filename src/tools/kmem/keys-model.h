/* SPDX-License-Identifier: MIT */
#pragma once
/* Sort keys of the tables of `perf kmem stat`. The larger value comes first, whatever the key. */
#include <stddef.h>

struct diag;

enum kmem_allocator {
	KMEM_SLAB, /* rows are struct slab_row */
	KMEM_PAGE, /* rows are struct kmem_page_row */
};

/* The largest number of keys that an allocator has. */
#define KMEM_KEYS_MAX 8

struct kmem_key;

struct kmem_keys {
	const struct kmem_key *items[KMEM_KEYS_MAX]; /* each once */
	size_t n;
};

/* Returns the keys that apply without --sort: frag,hit,bytes for slab, and bytes,hit for pages. */
struct kmem_keys kmem_keys_default(enum kmem_allocator a);

/*
 * Parses names separated by commas. Returns -EINVAL with @diag if a name is unknown; *@ret is then
 * untouched.
 */
int kmem_keys_parse(enum kmem_allocator a, const char *text, struct kmem_keys *ret,
		    struct diag *diag);

/*
 * Sorts the @n rows of @size bytes each at @rows by @keys. Equal rows keep their order. Returns an
 * array of pointers, which the caller frees.
 */
const void **kmem_keys_sort(const struct kmem_keys *keys, const void *rows, size_t n, size_t size);
