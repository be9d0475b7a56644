/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Layouts: tables of the fields that a feature's payload consists of. Private to datafile/.
 *
 * A layout is an array of fields in the order of the payload, which ends with LAYOUT_END. Each
 * field is a member of a struct: of struct features or, in the layout of a list's items, of an
 * item. The members own what they point to. Features whose payload depends on other values do not
 * fit; they have a decoder of their own (datafile/feature.h), which may use layouts for parts of
 * the payload.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct cursor;

enum feature_field_kind {
	FEATURE_FIELD_END,
	FEATURE_FIELD_U32,
	FEATURE_FIELD_U64,
	FEATURE_FIELD_TEXT,   /* char *: datafile/feature-text.h */
	FEATURE_FIELD_REST,   /* struct bytes: all up to the end of the payload */
	FEATURE_FIELD_BYTES,  /* uint8_t *: as many bytes as an earlier u32 of the struct says */
	FEATURE_FIELD_LIST,   /* { T *items; size_t n, room; }: u32 count, then that many items */
	FEATURE_FIELD_LIST64, /* the same with a u64 count */
};

struct feature_field {
	enum feature_field_kind kind;
	size_t offset;      /* offset of the member in its struct */
	size_t size_offset; /* BYTES: of the member with their number */
	size_t item_size;
	const struct feature_field *item; /* LIST: the layout of an item */
};

#define LAYOUT_KIND(member)                                                                        \
	_Generic((member),                                                                         \
		uint32_t: FEATURE_FIELD_U32,                                                       \
		uint64_t: FEATURE_FIELD_U64,                                                       \
		char *: FEATURE_FIELD_TEXT,                                                        \
		struct bytes: FEATURE_FIELD_REST)

/* A number, a text or the rest of the payload: the type of @member says which. */
#define LAYOUT_FIELD(type, member)                                                                 \
	{                                                                                          \
		.kind = LAYOUT_KIND(((type *)NULL)->member), .offset = offsetof(type, member)      \
	}

/* The bytes at @member, whose number is in the member @size. */
#define LAYOUT_BYTES(type, member, size)                                                           \
	{                                                                                          \
		.kind = FEATURE_FIELD_BYTES, .offset = offsetof(type, member),                     \
		.size_offset = offsetof(type, size)                                                \
	}

#define LAYOUT_ITEMS(list_kind, type, member, layout)                                              \
	{                                                                                          \
		.kind = (list_kind), .offset = offsetof(type, member),                             \
		.item_size = sizeof(((type *)NULL)->member.items[0]), .item = (layout)             \
	}

/* The lists with a u32 and a u64 count, whose items have @layout. */
#define LAYOUT_LIST(type, member, layout)   LAYOUT_ITEMS(FEATURE_FIELD_LIST, type, member, layout)
#define LAYOUT_LIST64(type, member, layout) LAYOUT_ITEMS(FEATURE_FIELD_LIST64, type, member, layout)

#define LAYOUT_END                                                                                 \
	{                                                                                          \
		.kind = FEATURE_FIELD_END                                                          \
	}

/* The layout of an item that is a text. */
extern const struct feature_field feature_layout_text[];

/*
 * Fills in @record, which is all zero, from the payload. If the payload ends too early, cursor.bad
 * is set, and feature_layout_done() releases the part that was decoded. A list grows with the items
 * that are there and not with its count.
 */
void feature_layout_decode(const struct feature_field *layout, void *record, struct cursor *c);

/* Appends the payload of @record. */
void feature_layout_encode(const struct feature_field *layout, const void *record,
			   struct bytes *out);

/* Releases what @record owns. The pointers in @record are invalid then. */
void feature_layout_done(const struct feature_field *layout, void *record);
