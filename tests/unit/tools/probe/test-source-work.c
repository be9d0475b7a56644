/* SPDX-License-Identifier: MIT */
#include "probe/probing.h"

#include "tools/probe/source-work.h"

static void a_range_that_makes_no_sense_is_refused(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_source_done) struct probe_source s = { 0 };

	assert_int_equal(probe_source_find(&p.rq, "first:x", &s, &p.diag), -EINVAL);
	assert_string_equal(p.diag.excerpt, "first:x");
}

static void without_debug_information_there_are_no_lines(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_source_done) struct probe_source s = { 0 };

	assert_int_equal(probe_source_find(&p.rq, "first", &s, &p.diag), -ENODATA);
	assert_non_null(p.diag.message);
	assert_null(s.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBING(a_range_that_makes_no_sense_is_refused),
		PROBING(without_debug_information_there_are_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
