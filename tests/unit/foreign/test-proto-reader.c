/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "foreign/proto-reader.h"

#define OVER(bytes) cursor_over(bytes, sizeof(bytes) - 1, false)

static void fields_come_in_order(void **state)
{
	struct cursor c = OVER("\x08\x96\x01"
			       "\x12\x02hi"
			       "\x1d\x01\x00\x00\x00"
			       "\x21\x02\x00\x00\x00\x00\x00\x00\x00");
	struct proto_field f;

	(void)state;
	assert_true(proto_next(&c, &f));
	assert_int_equal(f.number, 1);
	assert_int_equal(f.value, 150);
	assert_null(f.bytes);
	assert_true(proto_next(&c, &f));
	assert_int_equal(f.number, 2);
	assert_int_equal(f.length, 2);
	assert_memory_equal(f.bytes, "hi", 2);
	assert_true(proto_next(&c, &f));
	assert_int_equal(f.value, 1);
	assert_true(proto_next(&c, &f));
	assert_int_equal(f.value, 2);
	assert_false(proto_next(&c, &f));
	assert_false(c.bad);
}

static void is_bad(const char *bytes, size_t n)
{
	struct cursor c = cursor_over(bytes, n, false);
	struct proto_field f;

	while (proto_next(&c, &f))
		;
	assert_true(c.bad);
}

static void what_is_no_message_is_bad(void **state)
{
	(void)state;
	is_bad("\x08", 1);                 /* a number is missing */
	is_bad("\x08\x80", 2);             /* does not end */
	is_bad("\x12\x05hi", 4);           /* longer than the rest */
	is_bad("\x0b\x0c", 2);             /* a group */
	is_bad("\x00\x00", 2);             /* field 0 */
	is_bad("\x1d\x01\x00", 3);         /* three bytes instead of four */
	is_bad("\x21\x01\x00\x00\x00", 5); /* four bytes instead of eight */
}

static void lists_are_packed_or_not(void **state)
{
	struct cursor c = OVER("\x0a\x03\x01\x96\x01"
			       "\x08\x07"
			       "\x0a\x00");
	struct proto_field f;
	struct cursor values;
	uint64_t v;

	(void)state;
	assert_true(proto_next(&c, &f));
	values = proto_list(&f);
	assert_true(proto_list_next(&values, &f, &v));
	assert_int_equal(v, 1);
	assert_true(proto_list_next(&values, &f, &v));
	assert_int_equal(v, 150);
	assert_false(proto_list_next(&values, &f, &v));

	assert_true(proto_next(&c, &f));
	values = proto_list(&f);
	assert_true(proto_list_next(&values, &f, &v));
	assert_int_equal(v, 7);
	assert_false(proto_list_next(&values, &f, &v));

	assert_true(proto_next(&c, &f));
	values = proto_list(&f);
	assert_false(proto_list_next(&values, &f, &v));
	assert_false(values.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_come_in_order),
		cmocka_unit_test(what_is_no_message_is_bad),
		cmocka_unit_test(lists_are_packed_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
