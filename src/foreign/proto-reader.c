/* SPDX-License-Identifier: MIT */
#include "foreign/proto-reader.h"

enum wire_type {
	WIRE_VARINT,
	WIRE_64,
	WIRE_BYTES,
	WIRE_32 = 5,
};

bool proto_next(struct cursor *c, struct proto_field *ret)
{
	uint64_t key;

	if (c->bad || !cursor_left(c))
		return false;
	key = cursor_uleb128(c);
	*ret = (struct proto_field){ .number = (uint32_t)(key >> 3) };
	switch (key & 7) {
	case WIRE_VARINT:
		ret->value = cursor_uleb128(c);
		break;
	case WIRE_64:
		ret->value = cursor_u64(c);
		break;
	case WIRE_32:
		ret->value = cursor_u32(c);
		break;
	case WIRE_BYTES:
		ret->length = cursor_uleb128(c);
		ret->bytes = (const char *)cursor_bytes(c, ret->length);
		break;
	default:
		c->bad = true;
	}
	c->bad |= !ret->number || key >> 3 > UINT32_MAX;
	return !c->bad;
}

struct cursor proto_list(const struct proto_field *f)
{
	return cursor_over(f->bytes ? (const void *)f->bytes : f, f->bytes ? f->length : 1, false);
}

bool proto_list_next(struct cursor *values, const struct proto_field *f, uint64_t *ret)
{
	if (values->bad || !cursor_left(values))
		return false;
	if (f->bytes) {
		*ret = cursor_uleb128(values);
		return !values->bad;
	}
	/* A single number that is not packed: the cursor covers one byte that represents it. */
	cursor_u8(values);
	*ret = f->value;
	return true;
}
