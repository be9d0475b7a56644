/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A bounded reader of bytes from outside: every length is checked here, and nowhere else.
 *
 * A read past the end gives zeros and sets `bad`, which stays set, so a decoder reads all its
 * fields and checks once. Words may be misaligned and in the other byte order. The cursor borrows
 * its bytes; pointers that it returns point into them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *at, *end;
	bool swap; /* integers are in the other byte order */
	bool bad;  /* a read went past the end */
};

/* Returns a cursor over @bytes, or over nothing if @bytes is NULL. */
static inline struct cursor cursor_over(const void *bytes, size_t size, bool swap)
{
	const uint8_t *p = bytes;

	return (struct cursor){ .at = p, .end = p ? p + size : p, .swap = swap };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* Returns the next @n bytes, or NULL (and sets `bad`) if there are fewer. */
static inline const uint8_t *cursor_bytes(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->at;

	if (n > cursor_left(c)) {
		c->bad = true;
		c->at = c->end;
		return NULL;
	}
	c->at += n;
	return p;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, sizeof(uint16_t));
	uint16_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, sizeof(uint32_t));
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, sizeof(uint64_t));
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap64(v) : v;
}

/*
 * Returns the text at the cursor, which must have its NUL before the end ("" and `bad` if not). The
 * cursor moves past the NUL.
 */
const char *cursor_string(struct cursor *c);

/*
 * Read a number in DWARF's LEB128, unsigned and signed. Bits beyond 64 are dropped. `bad` is set if
 * the number does not end.
 */
uint64_t cursor_uleb128(struct cursor *c);
int64_t cursor_sleb128(struct cursor *c);
