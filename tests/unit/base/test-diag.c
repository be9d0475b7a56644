/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"

static void setting_returns_the_error(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(diag_set(&d, -EINVAL, "bad '%s'", "x"), -EINVAL);
	assert_string_equal(d.message, "bad 'x'");
	assert_null(d.excerpt);
	assert_null(d.hint);
}

static void the_last_writer_wins(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	diag_mark(&d, -EINVAL, "a,b", 2, 1, "first");
	diag_hint(&d, "hint of the first");
	diag_set(&d, -ENOENT, "second");
	assert_string_equal(d.message, "second");
	assert_null(d.excerpt);
	assert_null(d.hint);
	assert_int_equal(d.offset, 0);
	assert_int_equal(d.length, 0);
}

static void a_message_may_quote_the_one_before(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	diag_mark(&d, -EINVAL, "text", 1, 2, "inner");
	diag_mark(&d, -EINVAL, d.excerpt, d.offset, d.length, "outer: %s", d.message);
	assert_string_equal(d.message, "outer: inner");
	assert_string_equal(d.excerpt, "text");
	assert_int_equal(d.offset, 1);
	assert_int_equal(d.length, 2);
}

static void hints_add_up_line_by_line(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	diag_hint(&d, "one");
	diag_hint(&d, "%d", 2);
	assert_string_equal(d.hint, "one\n2");
	assert_null(d.message);
}

static void done_leaves_an_empty_one(void **state)
{
	struct diag d = { 0 };

	(void)state;
	diag_mark(&d, -EINVAL, "x", 0, 1, "m");
	diag_done(&d);
	assert_null(d.message);
	assert_null(d.excerpt);
	diag_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_the_error),
		cmocka_unit_test(the_last_writer_wins),
		cmocka_unit_test(a_message_may_quote_the_one_before),
		cmocka_unit_test(hints_add_up_line_by_line),
		cmocka_unit_test(done_leaves_an_empty_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
