/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include "base/bytes.h"
#include "datafile/plausible.h"

static void put(struct bytes *b, uint32_t type, uint16_t misc, uint16_t size)
{
	size_t from = b->n;

	bytes_u32(b, type);
	bytes_u16(b, misc);
	bytes_u16(b, size);
	bytes_zero(b, size - (b->n - from));
}

static struct search over(const struct bytes *b)
{
	return (struct search){ .bytes = b->data, .n = b->n, .to_end = true };
}

static void types_that_exist_are_usual(void **state)
{
	(void)state;
	assert_true(header_is_usual(&(struct record_header){ PERF_RECORD_SAMPLE, 1, 40 }));
	assert_true(header_is_usual(&(struct record_header){ PERF_RECORD_COMPRESSED, 0, 41 }));
	assert_false(header_is_usual(&(struct record_header){ PERF_RECORD_SAMPLE, 1, 41 }));
	assert_false(header_is_usual(&(struct record_header){ PERF_RECORD_SAMPLE, 1, 4 }));
	assert_false(header_is_usual(&(struct record_header){ 40, 0, 16 }));
	assert_false(header_is_usual(&(struct record_header){ 0, 0, 16 }));
}

static void records_are_found_behind_garbage(void **state)
{
	(void)state;
	struct bytes b = { 0 };
	struct search s;

	bytes_zero(&b, 24);
	for (int i = 0; i < 4; i++)
		put(&b, PERF_RECORD_SAMPLE, 2, 40);
	s = over(&b);
	assert_int_equal(records_find(&s, 0, 8), 24);
	assert_true(records_follow(&s, 24 + 3 * 40));
	bytes_done(&b);
}

static void a_chain_that_breaks_is_none(void **state)
{
	(void)state;
	struct bytes b = { 0 };
	struct search s;

	put(&b, PERF_RECORD_SAMPLE, 2, 40);
	put(&b, PERF_RECORD_SAMPLE, 2, 40);
	bytes_zero(&b, 8);
	s = over(&b);
	assert_false(records_follow(&s, 0));
	assert_int_equal(records_find(&s, 0, 8), b.n);
	bytes_done(&b);
}

static void what_follows_outside_a_record_belongs_to_it(void **state)
{
	(void)state;
	struct bytes b = { 0 };
	struct search s;

	put(&b, PERF_RECORD_AUXTRACE, 0, 48);
	b.data[8] = 16;
	bytes_zero(&b, 16);
	put(&b, PERF_RECORD_FINISHED_ROUND, 0, 8);
	s = over(&b);
	assert_true(records_follow(&s, 0));
	b.data[8] = 17;
	assert_false(records_follow(&s, 0));
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_that_exist_are_usual),
		cmocka_unit_test(records_are_found_behind_garbage),
		cmocka_unit_test(a_chain_that_breaks_is_none),
		cmocka_unit_test(what_follows_outside_a_record_belongs_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
