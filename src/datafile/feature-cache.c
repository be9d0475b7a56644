/* SPDX-License-Identifier: MIT */
/*
 * CACHE: u32 version, count; { u32 level, line_size, sets, ways; text type, size, cpu_map;
 * }[count], one for each cache of the machine.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void feature_cache_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(caches) *caches = member;
	uint32_t n;

	(void)known;
	caches->version = cursor_u32(c);
	n = cursor_u32(c);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct cache_desc *d = ARRAY_ADD(&caches->list);

		d->level = cursor_u32(c);
		d->line_size = cursor_u32(c);
		d->sets = cursor_u32(c);
		d->ways = cursor_u32(c);
		d->type = feature_text_take(c);
		d->size = feature_text_take(c);
		d->cpu_map = feature_text_take(c);
	}
}

static void feature_cache_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(caches) *caches = member;

	bytes_u32(out, caches->version);
	bytes_u32(out, (uint32_t)caches->list.n);
	for (size_t i = 0; i < caches->list.n; i++) {
		const struct cache_desc *d = &caches->list.items[i];

		bytes_u32(out, d->level);
		bytes_u32(out, d->line_size);
		bytes_u32(out, d->sets);
		bytes_u32(out, d->ways);
		feature_text_put(out, d->type);
		feature_text_put(out, d->size);
		feature_text_put(out, d->cpu_map);
	}
}

static void feature_cache_done(void *member)
{
	FEATURE_TYPE(caches) *caches = member;

	for (size_t i = 0; i < caches->list.n; i++) {
		free(caches->list.items[i].type);
		free(caches->list.items[i].size);
		free(caches->list.items[i].cpu_map);
	}
	free(caches->list.items);
}

const struct feature_codec feature_cache = {
	FEATURE_AT(caches),
	.decode = feature_cache_decode,
	.encode = feature_cache_encode,
	.done = feature_cache_done,
};
