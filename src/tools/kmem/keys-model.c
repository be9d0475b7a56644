/* SPDX-License-Identifier: MIT */
#include "tools/kmem/keys-model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/kmem/pages-model.h"
#include "tools/kmem/slab-model.h"

struct kmem_key {
	const char *name;
	/* above 0: @a comes after @b */
	int (*compare)(const void *a, const void *b);
};

#define KEY_COMPARES(name, type, member)                                                           \
	static int name(const void *a, const void *b)                                              \
	{                                                                                          \
		const struct type *x = a, *y = b;                                                  \
                                                                                                   \
		return (x->member < y->member) - (x->member > y->member);                          \
	}

KEY_COMPARES(slab_ptr, slab_row, ptr)
KEY_COMPARES(slab_callsite, slab_row, call_site)
KEY_COMPARES(slab_bytes, slab_row, bytes_allocated)
KEY_COMPARES(slab_hit, slab_row, hits)
KEY_COMPARES(slab_pingpong, slab_row, ping_pongs)
KEY_COMPARES(page_page, kmem_page_row, page)
KEY_COMPARES(page_callsite, kmem_page_row, call_site)
KEY_COMPARES(page_bytes, kmem_page_row, bytes)
KEY_COMPARES(page_hit, kmem_page_row, hits)
KEY_COMPARES(page_order, kmem_page_row, order)
KEY_COMPARES(page_migtype, kmem_page_row, migratetype)
KEY_COMPARES(page_gfp, kmem_page_row, gfp_flags)

static int slab_frag(const void *a, const void *b)
{
	const struct slab_row *x = a, *y = b;
	double of_x = slab_fragmentation(x->bytes_requested, x->bytes_allocated);
	double of_y = slab_fragmentation(y->bytes_requested, y->bytes_allocated);

	return (of_x < of_y) - (of_x > of_y);
}

static const struct kmem_key slab_keys[] = {
	{ "ptr", slab_ptr }, { "callsite", slab_callsite }, { "bytes", slab_bytes },
	{ "hit", slab_hit }, { "pingpong", slab_pingpong }, { "frag", slab_frag },
};

static const struct kmem_key page_keys[] = {
	{ "page", page_page }, { "callsite", page_callsite }, { "bytes", page_bytes },
	{ "hit", page_hit },   { "order", page_order },       { "migtype", page_migtype },
	{ "gfp", page_gfp },
};

static const struct kmem_key *kmem_keys_of(enum kmem_allocator a, size_t *ret_n)
{
	*ret_n = a == KMEM_SLAB ? ARRAY_SIZE(slab_keys) : ARRAY_SIZE(page_keys);
	return a == KMEM_SLAB ? slab_keys : page_keys;
}

static const struct kmem_key *key_find(enum kmem_allocator a, const char *name, size_t length)
{
	size_t n;
	const struct kmem_key *keys = kmem_keys_of(a, &n);

	for (size_t i = 0; i < n; i++)
		if (strlen(keys[i].name) == length && !memcmp(keys[i].name, name, length))
			return &keys[i];
	return NULL;
}

static void kmem_keys_add(struct kmem_keys *keys, const struct kmem_key *key)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->items[i] == key)
			return;
	keys->items[keys->n++] = key;
}

static int kmem_keys_refuse(enum kmem_allocator a, const char *name, size_t length,
			    struct diag *diag)
{
	size_t n;
	const struct kmem_key *keys = kmem_keys_of(a, &n);
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	for (size_t i = 0; i < n; i++)
		text_addf(&names, "%s%s", i ? ", " : "", keys[i].name);
	diag_set(diag, -EINVAL, "Unknown %s --sort key: '%.*s'", a == KMEM_SLAB ? "slab" : "page",
		 (int)length, name);
	diag_hint(diag, "There are %s; those of %s are another set: say %s in front of --sort.",
		  names.chars, a == KMEM_SLAB ? "pages" : "slab",
		  a == KMEM_SLAB ? "--page" : "--slab");
	return -EINVAL;
}

int kmem_keys_parse(enum kmem_allocator a, const char *text, struct kmem_keys *ret,
		    struct diag *diag)
{
	struct kmem_keys keys = { 0 };
	const char *at = text;
	size_t length;

	do {
		const struct kmem_key *key;

		length = strcspn(at, ",");
		key = key_find(a, at, length);
		if (!key)
			return kmem_keys_refuse(a, at, length, diag);
		kmem_keys_add(&keys, key);
		at += length;
	} while (*at++);
	*ret = keys;
	return 0;
}

struct kmem_keys kmem_keys_default(enum kmem_allocator a)
{
	struct kmem_keys keys = { 0 };

	kmem_keys_parse(a, a == KMEM_SLAB ? "frag,hit,bytes" : "bytes,hit", &keys, NULL);
	return keys;
}

static int kmem_keys_compare(const void *a, const void *b, void *arg)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	const struct kmem_keys *keys = arg;

	for (size_t i = 0; i < keys->n; i++) {
		int order = keys->items[i]->compare(x, y);

		if (order)
			return order;
	}
	return (x > y) - (x < y);
}

const void **kmem_keys_sort(const struct kmem_keys *keys, const void *rows, size_t n, size_t size)
{
	const void **sorted = xcalloc(n + 1, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = (const char *)rows + i * size;
	qsort_r(sorted, n, sizeof(*sorted), kmem_keys_compare, (void *)keys);
	return sorted;
}
