/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

void bytes_done(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

static uint8_t *bytes_grow(struct bytes *b, size_t n)
{
	uint8_t *p;

	b->data = array_reserve(b->data, &b->room, b->n + n, 1);
	p = b->data + b->n;
	b->n += n;
	return p;
}

void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (n)
		memcpy(bytes_grow(b, n), data, n);
}

void bytes_zero(struct bytes *b, size_t n)
{
	if (n)
		memset(bytes_grow(b, n), 0, n);
}

void bytes_u8(struct bytes *b, uint8_t v)
{
	bytes_add(b, &v, sizeof(v));
}

void bytes_u16(struct bytes *b, uint16_t v)
{
	bytes_add(b, &v, sizeof(v));
}

void bytes_u32(struct bytes *b, uint32_t v)
{
	bytes_add(b, &v, sizeof(v));
}

void bytes_u64(struct bytes *b, uint64_t v)
{
	bytes_add(b, &v, sizeof(v));
}

void bytes_uleb128(struct bytes *b, uint64_t v)
{
	uint8_t buf[10];
	size_t n = 0;

	do {
		buf[n] = v & 0x7f;
		v >>= 7;
		buf[n++] |= v ? 0x80 : 0;
	} while (v);
	bytes_add(b, buf, n);
}

void bytes_string(struct bytes *b, const char *s, size_t align)
{
	size_t from = b->n;

	bytes_add(b, s, strlen(s) + 1);
	bytes_pad(b, from, align);
}

void bytes_pad(struct bytes *b, size_t from, size_t align)
{
	size_t rest = (b->n - from) % align;

	if (rest)
		bytes_zero(b, align - rest);
}
