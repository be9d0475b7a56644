/* SPDX-License-Identifier: MIT */
#include "datafile/feature-layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/memory.h"
#include "datafile/feature-text.h"

/* Any list of a feature. The lists differ in the type of their items. */
struct feature_layout_list {
	char *items;
	size_t n, room;
} __attribute__((may_alias));

const struct feature_field feature_layout_text[] = {
	{ .kind = FEATURE_FIELD_TEXT },
	LAYOUT_END,
};

static uint32_t feature_layout_byte_count(const struct feature_field *field, const void *record)
{
	return *(const uint32_t *)((const char *)record + field->size_offset);
}

/* Returns a copy of the next @size bytes, which belongs to the caller; NULL if there are fewer. */
static uint8_t *feature_layout_bytes_take(struct cursor *c, uint32_t size)
{
	const uint8_t *p = cursor_bytes(c, size);

	return p ? memcpy(xmalloc(size ? size : 1), p, size) : NULL;
}

static void *feature_layout_item_add(struct feature_layout_list *l, size_t size)
{
	l->items = array_reserve(l->items, &l->room, l->n + 1, size);
	return memset(l->items + l->n++ * size, 0, size);
}

static void feature_layout_list_decode(const struct feature_field *field,
				       struct feature_layout_list *l, struct cursor *c)
{
	uint64_t n = field->kind == FEATURE_FIELD_LIST ? cursor_u32(c) : cursor_u64(c);

	for (uint64_t i = 0; i < n && !c->bad; i++)
		feature_layout_decode(field->item, feature_layout_item_add(l, field->item_size), c);
}

static void feature_layout_field_decode(const struct feature_field *field, void *record,
					struct cursor *c)
{
	void *at = (char *)record + field->offset;

	switch (field->kind) {
	case FEATURE_FIELD_END:
		break;
	case FEATURE_FIELD_U32:
		*(uint32_t *)at = cursor_u32(c);
		break;
	case FEATURE_FIELD_U64:
		*(uint64_t *)at = cursor_u64(c);
		break;
	case FEATURE_FIELD_TEXT:
		*(char **)at = feature_text_take(c);
		break;
	case FEATURE_FIELD_REST:
		bytes_add(at, c->at, cursor_left(c));
		c->at = c->end;
		break;
	case FEATURE_FIELD_BYTES:
		*(uint8_t **)at =
			feature_layout_bytes_take(c, feature_layout_byte_count(field, record));
		break;
	case FEATURE_FIELD_LIST:
	case FEATURE_FIELD_LIST64:
		feature_layout_list_decode(field, at, c);
		break;
	}
}

void feature_layout_decode(const struct feature_field *layout, void *record, struct cursor *c)
{
	for (; layout->kind != FEATURE_FIELD_END; layout++)
		feature_layout_field_decode(layout, record, c);
}

static void feature_layout_list_encode(const struct feature_field *field,
				       const struct feature_layout_list *l, struct bytes *out)
{
	if (field->kind == FEATURE_FIELD_LIST)
		bytes_u32(out, (uint32_t)l->n);
	else
		bytes_u64(out, l->n);
	for (size_t i = 0; i < l->n; i++)
		feature_layout_encode(field->item, l->items + i * field->item_size, out);
}

static void feature_layout_field_encode(const struct feature_field *field, const void *record,
					struct bytes *out)
{
	const void *at = (const char *)record + field->offset;

	switch (field->kind) {
	case FEATURE_FIELD_END:
		break;
	case FEATURE_FIELD_U32:
		bytes_u32(out, *(const uint32_t *)at);
		break;
	case FEATURE_FIELD_U64:
		bytes_u64(out, *(const uint64_t *)at);
		break;
	case FEATURE_FIELD_TEXT:
		feature_text_put(out, *(char *const *)at);
		break;
	case FEATURE_FIELD_REST:
		bytes_add(out, ((const struct bytes *)at)->data, ((const struct bytes *)at)->n);
		break;
	case FEATURE_FIELD_BYTES:
		bytes_add(out, *(uint8_t *const *)at, feature_layout_byte_count(field, record));
		break;
	case FEATURE_FIELD_LIST:
	case FEATURE_FIELD_LIST64:
		feature_layout_list_encode(field, at, out);
		break;
	}
}

void feature_layout_encode(const struct feature_field *layout, const void *record,
			   struct bytes *out)
{
	for (; layout->kind != FEATURE_FIELD_END; layout++)
		feature_layout_field_encode(layout, record, out);
}

static void feature_layout_list_done(const struct feature_field *field,
				     struct feature_layout_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		feature_layout_done(field->item, l->items + i * field->item_size);
	free(l->items);
}

void feature_layout_done(const struct feature_field *layout, void *record)
{
	for (; layout->kind != FEATURE_FIELD_END; layout++) {
		void *at = (char *)record + layout->offset;

		if (layout->kind == FEATURE_FIELD_TEXT)
			free(*(char **)at);
		else if (layout->kind == FEATURE_FIELD_REST)
			bytes_done(at);
		else if (layout->kind == FEATURE_FIELD_BYTES)
			free(*(uint8_t **)at);
		else if (layout->kind >= FEATURE_FIELD_LIST)
			feature_layout_list_done(layout, at);
	}
}
