/* SPDX-License-Identifier: MIT */
#include "probe/probing.h"

#include "tools/probe/functions-work.h"

static void functions_are_in_order(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_functions_done) struct probe_functions f = { 0 };

	assert_int_equal(probe_functions_find(&p.rq, "", &f, &p.diag), 0);
	assert_true(f.n >= 3);
	for (size_t i = 1; i < f.n; i++)
		assert_true(strcmp(f.items[i - 1].name, f.items[i].name) <= 0);
}

static void a_filter_chooses_among_them(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_functions_done) struct probe_functions f = { 0 };

	assert_int_equal(probe_functions_find(&p.rq, "first*", &f, &p.diag), 0);
	assert_int_equal(f.n, 2);
	assert_string_equal(f.items[0].name, "first");
	assert_string_equal(f.items[1].name, "first_again");
}

static void the_filter_of_the_request_is_for_those_without_one(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_functions_done) struct probe_functions f = { 0 };

	p.rq.filter = "first";
	assert_int_equal(probe_functions_find(&p.rq, "", &f, &p.diag), 0);
	assert_int_equal(f.n, 1);
}

static void a_filter_that_makes_no_sense_is_refused(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_functions_done) struct probe_functions f = { 0 };

	assert_int_equal(probe_functions_find(&p.rq, "(a", &f, &p.diag), -EINVAL);
	assert_non_null(p.diag.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBING(functions_are_in_order),
		PROBING(a_filter_chooses_among_them),
		PROBING(the_filter_of_the_request_is_for_those_without_one),
		PROBING(a_filter_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
