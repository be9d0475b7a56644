/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Checks for every feature: an encoded feature decodes to the same, and a payload that is cut
 * anywhere is refused and leaves nothing behind.
 */
#include <string.h>

#include "base/bytes.h"
#include "datafile/features.h"

/* Encodes feature @id of @f, decodes that into *@ret and checks that *@ret encodes to the same. */
static inline void feature_round_trip(const struct features *f, unsigned id, struct features *ret)
{
	struct bytes first = { 0 }, second = { 0 };

	features_encode(f, id, &first);
	ret->cpus_available = f->cpus_available;
	assert_int_equal(features_decode(ret, id, cursor_over(first.data, first.n, false)), 0);
	assert_true(features_have(ret, id));
	features_encode(ret, id, &second);
	assert_int_equal(first.n, second.n);
	if (first.n)
		assert_memory_equal(first.data, second.data, first.n);
	bytes_done(&first);
	bytes_done(&second);
}

/* Checks that every payload of feature @id that is shorter than that of @f is refused. */
static inline void feature_cut_is_refused(const struct features *f, unsigned id)
{
	struct bytes b = { 0 };

	features_encode(f, id, &b);
	for (size_t n = 0; n < b.n; n++) {
		struct features g = { .cpus_available = f->cpus_available };

		assert_int_not_equal(features_decode(&g, id, cursor_over(b.data, n, false)), 0);
		assert_false(features_have(&g, id));
		features_done(&g);
	}
	bytes_done(&b);
}
