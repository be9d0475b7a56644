/* SPDX-License-Identifier: MIT */
#include "base/protobuf.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"

/* The layout of a field's value: the lowest three bits of its tag. */
enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_LENGTH = 2,
};

#define VARINT_MAX 10

void protobuf_done(struct protobuf *p)
{
	bytes_done(&p->out);
}

void protobuf_clear(struct protobuf *p)
{
	p->out.n = 0;
	p->depth = 0;
}

static void protobuf_add_tag(struct protobuf *p, unsigned field, enum wire_type type)
{
	bytes_uleb128(&p->out, (uint64_t)field << 3 | type);
}

void protobuf_number(struct protobuf *p, unsigned field, uint64_t v)
{
	protobuf_add_tag(p, field, WIRE_VARINT);
	bytes_uleb128(&p->out, v);
}

void protobuf_known(struct protobuf *p, unsigned field, uint64_t v)
{
	if (v)
		protobuf_number(p, field, v);
}

void protobuf_bool(struct protobuf *p, unsigned field, bool v)
{
	protobuf_number(p, field, v);
}

void protobuf_fixed64(struct protobuf *p, unsigned field, uint64_t v)
{
	protobuf_add_tag(p, field, WIRE_FIXED64);
	for (unsigned i = 0; i < 8; i++)
		bytes_u8(&p->out, (uint8_t)(v >> 8 * i));
}

void protobuf_bytes(struct protobuf *p, unsigned field, const void *data, size_t n)
{
	protobuf_add_tag(p, field, WIRE_LENGTH);
	bytes_uleb128(&p->out, n);
	bytes_add(&p->out, data, n);
}

static bool is_ascii(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] >= 0x80)
			return false;
	return true;
}

void protobuf_text(struct protobuf *p, unsigned field, const char *s)
{
	_cleanup_(text_done) struct text valid = TEXT_EMPTY;
	size_t n = strlen(s);

	if (!is_ascii(s, n)) {
		escape_not_utf8(&valid, s, n);
		s = valid.chars;
		n = valid.length;
	}
	protobuf_bytes(p, field, s, n);
}

void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *v, size_t n)
{
	if (!n)
		return;
	protobuf_begin(p, field);
	for (size_t i = 0; i < n; i++)
		bytes_uleb128(&p->out, v[i]);
	protobuf_end(p);
}

void protobuf_begin(struct protobuf *p, unsigned field)
{
	assert(p->depth < PROTOBUF_DEPTH_MAX);
	protobuf_add_tag(p, field, WIRE_LENGTH);
	p->begins[p->depth++] = p->out.n;
}

/*
 * Ends a message. The length stands before the message and is known only now, so the message is
 * moved to make space for it.
 */
void protobuf_end(struct protobuf *p)
{
	size_t begin, n, room;
	uint8_t length[VARINT_MAX];

	assert(p->depth);
	begin = p->begins[--p->depth];
	n = p->out.n - begin;
	bytes_uleb128(&p->out, n);
	room = p->out.n - begin - n;
	memcpy(length, p->out.data + begin + n, room);
	memmove(p->out.data + begin + room, p->out.data + begin, n);
	memcpy(p->out.data + begin, length, room);
}
