/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records made by hand, in either byte order, from a layout: one letter for each value.
 *	b u8, h u16, w u32, q u64, s a string with its NUL and zeros up to 8
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "wire/record.h"

static inline void bytes_in_order(struct bytes *out, uint64_t v, size_t width, bool swap)
{
	for (size_t i = 0; i < width; i++)
		bytes_u8(out, (uint8_t)(v >> 8 * (swap ? width - 1 - i : i)));
}

static inline void bytes_of_layout(struct bytes *out, bool swap, const char *layout, va_list ap)
{
	for (; *layout; layout++) {
		if (*layout == 's')
			bytes_string(out, va_arg(ap, const char *), 8);
		else if (*layout == 'q')
			bytes_in_order(out, va_arg(ap, uint64_t), 8, swap);
		else if (*layout == 'w')
			bytes_in_order(out, va_arg(ap, uint32_t), 4, swap);
		else
			bytes_in_order(out, va_arg(ap, unsigned), *layout == 'h' ? 2 : 1, swap);
	}
}

/* Returns a record of that layout, which bytes_done() releases; its size is computed. */
static inline struct bytes bytes_of(bool swap, uint32_t type, unsigned misc, const char *layout,
				    ...)
{
	struct bytes payload = { 0 }, out = { 0 };
	va_list ap;

	va_start(ap, layout);
	bytes_of_layout(&payload, swap, layout, ap);
	va_end(ap);

	bytes_in_order(&out, type, 4, swap);
	bytes_in_order(&out, misc, 2, swap);
	bytes_in_order(&out, RECORD_HEADER_SIZE + payload.n, 2, swap);
	bytes_add(&out, payload.data, payload.n);
	bytes_done(&payload);
	return out;
}

/* Returns the record of @b, which must decode; the record borrows from @b. */
static inline struct record decoded(const struct bytes *b, bool swap, const struct attr *attr)
{
	struct record r;

	assert_int_equal(record_decode(b->data, b->n, swap, attr, &r), 0);
	return r;
}

/* Checks that @r is encoded to the bytes of @b again. */
static inline void assert_encodes_to(const struct record *r, const struct attr *attr,
				     const struct bytes *b)
{
	_cleanup_(bytes_done) struct bytes out = { 0 };

	assert_int_equal(record_encode(r, attr, &out), 0);
	assert_int_equal(out.n, b->n);
	assert_memory_equal(out.data, b->data, b->n);
}

/* Checks that no record that ends before @whole bytes decodes, whatever size its header gives. */
static inline void assert_cut_is_refused(const struct bytes *b, size_t whole,
					 const struct attr *attr)
{
	for (size_t n = RECORD_HEADER_SIZE; n < whole; n++) {
		_cleanup_(bytes_done) struct bytes cut = { 0 };
		struct record r = { .header = { .type = 12345 } };
		uint16_t size = (uint16_t)n;

		bytes_add(&cut, b->data, n);
		memcpy(cut.data + 6, &size, sizeof(size));
		assert_int_equal(record_decode(cut.data, n, false, attr, &r), -EBADMSG);
		assert_int_equal(r.header.type, 12345);
	}
}

#define EITHER_ORDER(swap) for (int swap = 0; swap < 2; swap++)
