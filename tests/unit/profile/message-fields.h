/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads fields of a message of protocol buffers, for tests: by their number, and by their index
 * among those of the number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A message or text; a number has only @number. */
struct message {
	const uint8_t *bytes;
	size_t n;
	uint64_t number;
};

static inline uint64_t take_varint(struct message *m)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		assert_true(m->n > 0);
		m->n--;
		v |= (uint64_t)(*m->bytes & 127) << shift;
		if (*m->bytes++ < 128)
			return v;
	}
	fail_msg("a number of more than ten bytes");
	return 0;
}

static inline uint64_t take_fixed64(struct message *m)
{
	uint64_t v;

	assert_true(m->n >= sizeof(v));
	memcpy(&v, m->bytes, sizeof(v));
	m->bytes += sizeof(v);
	m->n -= sizeof(v);
	return v;
}

/* Takes the next field of @m. Returns its number, 0 at the end. */
static inline unsigned take_field(struct message *m, struct message *ret)
{
	uint64_t tag, n;

	if (!m->n)
		return 0;
	tag = take_varint(m);
	*ret = (struct message){ 0 };
	switch (tag & 7) {
	case 0:
		ret->number = take_varint(m);
		break;
	case 1:
		ret->number = take_fixed64(m);
		break;
	case 2:
		n = take_varint(m);
		assert_true(n <= m->n);
		*ret = (struct message){ .bytes = m->bytes, .n = n };
		m->bytes += n;
		m->n -= n;
		break;
	default:
		fail_msg("type %u", (unsigned)(tag & 7));
	}
	return (unsigned)(tag >> 3);
}

static inline size_t count_fields(struct message m, unsigned field)
{
	struct message found;
	size_t n = 0;

	for (unsigned f; (f = take_field(&m, &found));)
		n += f == field;
	return n;
}

/* Returns the field with this number and index @i, from 0 on; it must exist. */
static inline struct message nth_field(struct message m, unsigned field, size_t i)
{
	struct message found;

	for (unsigned f; (f = take_field(&m, &found));)
		if (f == field && !i--)
			return found;
	fail_msg("there is no field %u", field);
	return m;
}

static inline struct message the_field(struct message m, unsigned field)
{
	assert_int_equal(count_fields(m, field), 1);
	return nth_field(m, field, 0);
}

/* Returns the number as a reader does: 0 if it is missing. */
static inline uint64_t number_of(struct message m, unsigned field)
{
	return count_fields(m, field) ? the_field(m, field).number : 0;
}

#define assert_text(m, expected)                                                                   \
	do {                                                                                       \
		struct message m_ = (m);                                                           \
                                                                                                   \
		assert_int_equal(m_.n, strlen(expected));                                          \
		assert_memory_equal(m_.bytes, expected, m_.n);                                     \
	} while (0)

/* Takes the numbers of a packed field; there must be @n of them. */
static inline void take_packed(struct message m, uint64_t *ret, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = take_varint(&m);
	assert_int_equal(m.n, 0);
}
