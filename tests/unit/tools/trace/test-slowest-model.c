/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/trace/slowest-model.h"

static void add(struct trace_slowest *s, uint64_t ns, const char *text)
{
	if (trace_slowest_wants(s, ns))
		trace_slowest_add(s, ns, xstrdup(text));
}

static void the_slowest_are_kept_in_their_order(void **state)
{
	_cleanup_(trace_slowest_freep) struct trace_slowest *s = trace_slowest_new(3);
	const struct trace_slow_call *l;
	size_t n;

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		add(s, i * 37 % 101, "other");
	add(s, 500, "first of two");
	add(s, 500, "second of two");
	add(s, 1, "fast");
	l = trace_slowest_list(s, &n);
	assert_int_equal(n, 3);
	assert_string_equal(l[0].text, "first of two");
	assert_string_equal(l[1].text, "second of two");
	assert_int_equal(l[2].ns, 100);
}

static void fewer_calls_are_all_kept(void **state)
{
	_cleanup_(trace_slowest_freep) struct trace_slowest *s = trace_slowest_new(3);
	size_t n;

	(void)state;
	add(s, 0, "a");
	assert_string_equal(trace_slowest_list(s, &n)[0].text, "a");
	assert_int_equal(n, 1);
}

static void of_equal_calls_the_earlier_stay(void **state)
{
	_cleanup_(trace_slowest_freep) struct trace_slowest *s = trace_slowest_new(1);
	size_t n;

	(void)state;
	add(s, 5, "earlier");
	add(s, 5, "later");
	assert_string_equal(trace_slowest_list(s, &n)[0].text, "earlier");
	assert_false(trace_slowest_wants(s, 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slowest_are_kept_in_their_order),
		cmocka_unit_test(fewer_calls_are_all_kept),
		cmocka_unit_test(of_equal_calls_the_earlier_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
