/* SPDX-License-Identifier: MIT */
#include "base/cursor.h"

const char *cursor_string(struct cursor *c)
{
	const char *s = (const char *)c->at;
	const uint8_t *nul = memchr(c->at, 0, cursor_left(c));

	if (!nul) {
		c->bad = true;
		c->at = c->end;
		return "";
	}
	c->at = nul + 1;
	return s;
}

/* Reads seven bits a byte, lowest first; the highest bit means that more bytes follow. */
static uint64_t take_leb128(struct cursor *c, unsigned *ret_bits, bool *ret_is_negative)
{
	uint64_t value = 0;
	unsigned bits = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (bits < 64)
			value |= (uint64_t)(byte & 0x7f) << bits;
		bits += 7;
	} while (byte & 0x80);
	*ret_bits = bits;
	*ret_is_negative = byte & 0x40;
	return value;
}

uint64_t cursor_uleb128(struct cursor *c)
{
	unsigned bits;
	bool is_negative;

	return take_leb128(c, &bits, &is_negative);
}

int64_t cursor_sleb128(struct cursor *c)
{
	unsigned bits;
	bool is_negative;
	uint64_t value = take_leb128(c, &bits, &is_negative);

	if (is_negative && bits < 64)
		value |= UINT64_MAX << bits;
	return (int64_t)value;
}
