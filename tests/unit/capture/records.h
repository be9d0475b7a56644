/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds records in the bytes that the code under test has written. */
#include "base/bytes.h"
#include "wire/record.h"

/*
 * Finds record number @i of @type (0: of any type). Returns false if there is none. Asserts that
 * all records are whole.
 */
static inline bool record_find(const struct bytes *b, const struct attr *attr, uint32_t type,
			       size_t i, struct record *ret)
{
	struct record r;

	for (size_t at = 0; at < b->n; at += r.header.size) {
		assert_int_equal(record_decode(b->data + at, b->n - at, false, attr, &r), 0);
		if ((!type || r.header.type == type) && i-- == 0) {
			*ret = r;
			return true;
		}
	}
	return false;
}

static inline size_t record_count(const struct bytes *b, const struct attr *attr, uint32_t type)
{
	struct record r;
	size_t n = 0;

	while (record_find(b, attr, type, n, &r))
		n++;
	return n;
}

static inline struct record record_at(const struct bytes *b, const struct attr *attr, uint32_t type,
				      size_t i)
{
	struct record r;

	assert_true(record_find(b, attr, type, i, &r));
	return r;
}
