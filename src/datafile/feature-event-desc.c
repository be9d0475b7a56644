/* SPDX-License-Identifier: MIT */
/*
 * EVENT_DESC, the events again, with their names: u32 count, attr_size; { attr; u32 n_ids; text
 * name; u64 ids[n_ids]; }[count].
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "datafile/feature-text.h"
#include "datafile/feature.h"
#include "datafile/header.h"
#include "wire/attr-codec.h"

static void feature_event_desc_ids_take(struct cursor *c, uint32_t n, struct event_desc *e)
{
	if (n > cursor_left(c) / sizeof(uint64_t)) {
		c->bad = true;
		return;
	}
	e->ids = xcalloc(n ? n : 1, sizeof(uint64_t));
	for (e->n_ids = 0; e->n_ids < n; e->n_ids++)
		e->ids[e->n_ids] = cursor_u64(c);
}

static void event_take(struct cursor *c, uint32_t attr_size, struct event_desc *e)
{
	const uint8_t *attr = cursor_bytes(c, attr_size);
	uint32_t n_ids = cursor_u32(c);
	bool unknown;

	e->name = feature_text_take(c);
	if (!attr || attr_decode(attr, attr_size, c->swap, &e->attr, &unknown) < 0)
		c->bad = true;
	else
		feature_event_desc_ids_take(c, n_ids, e);
}

static void feature_event_desc_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(event_descs) *l = member;
	uint32_t n = cursor_u32(c), attr_size = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++)
		event_take(c, attr_size, ARRAY_ADD(l));
}

static uint32_t feature_event_desc_attr_size_of(const FEATURE_TYPE(event_descs) * l)
{
	uint32_t size = ATTR_SIZE_WRITTEN;

	for (size_t i = 0; i < l->n; i++) {
		uint32_t needed = attr_size_needed(&l->items[i].attr);

		size = needed > size ? needed : size;
	}
	return size;
}

static void feature_event_desc_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(event_descs) *l = member;
	uint32_t attr_size = feature_event_desc_attr_size_of(l);

	bytes_u32(out, (uint32_t)l->n);
	bytes_u32(out, attr_size);
	for (size_t i = 0; i < l->n; i++) {
		struct attr attr = l->items[i].attr;

		attr.size = attr_size;
		bytes_add(out, &attr, attr_size);
		bytes_u32(out, (uint32_t)l->items[i].n_ids);
		feature_text_put(out, l->items[i].name);
		bytes_add(out, l->items[i].ids, l->items[i].n_ids * sizeof(uint64_t));
	}
}

static void feature_event_desc_done(void *member)
{
	FEATURE_TYPE(event_descs) *l = member;

	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].name);
		free(l->items[i].ids);
	}
	free(l->items);
}

const struct feature_codec feature_event_desc = {
	FEATURE_AT(event_descs),
	.decode = feature_event_desc_decode,
	.encode = feature_event_desc_encode,
	.done = feature_event_desc_done,
};
