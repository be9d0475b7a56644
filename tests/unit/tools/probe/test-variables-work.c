/* SPDX-License-Identifier: MIT */
#include "probe/probing.h"

#include "tools/probe/variables-work.h"

static int find(struct probing *p, const char *point, struct probe_variables *v)
{
	return probe_variables_find(&p->rq, point, v, &p->notes, &p->diag);
}

static void a_point_has_no_arguments(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_variables_done) struct probe_variables v = { 0 };

	assert_int_equal(find(&p, "first a", &v), -EINVAL);
	assert_string_equal(p.diag.excerpt, "first a");
	assert_int_equal(p.diag.offset, 6);
}

static void a_marker_is_no_point(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_variables_done) struct probe_variables v = { 0 };

	assert_int_equal(find(&p, "%sdt_a:b", &v), -EINVAL);
	assert_non_null(strstr(p.diag.message, "this is a marker"));
}

static void without_debug_information_there_are_none(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_variables_done) struct probe_variables v = { 0 };

	assert_int_equal(find(&p, "first", &v), -ENODATA);
	assert_int_equal(v.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBING(a_point_has_no_arguments),
		PROBING(a_marker_is_no_point),
		PROBING(without_debug_information_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
