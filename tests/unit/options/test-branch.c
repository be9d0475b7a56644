/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/branch.h"
#include "wire/abi.h"

static void b_means_any_branch(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(branch_options, &o, "-b"), 0);
	assert_int_equal(o.branch_filter, PERF_SAMPLE_BRANCH_ANY);
	assert_int_equal(PARSE(branch_options, &o, "--no-branch-any"), 0);
	assert_int_equal(o.branch_filter, 0);
}

static void filters_add_up_in_any_case(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(branch_options, &o, "-j", "any_ret,U,k,save_type"), 0);
	assert_int_equal(o.branch_filter, PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_USER |
						  PERF_SAMPLE_BRANCH_KERNEL |
						  PERF_SAMPLE_BRANCH_TYPE_SAVE);
}

static void a_privilege_alone_means_any_branch_there(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(branch_options, &o, "-ju"), 0);
	assert_int_equal(o.branch_filter, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER);
}

static void an_unknown_filter_is_marked(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(branch_options, &o, "-j", "any,bad"), -EINVAL);
	assert_true(says("there is no branch filter 'bad'\nany,bad\n"));
	assert_int_equal(PARSE(branch_options, &o, "-j", ""), -EINVAL);
	assert_int_equal(PARSE(branch_options, &o, "-j", "any,"), -EINVAL);
	assert_int_equal(o.branch_filter, 0);
}

static void branches_are_asked_for_once(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(branch_options, &o, "-b", "-j", "any"), -EINVAL);
	assert_true(says("twice"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(b_means_any_branch),
		cmocka_unit_test(filters_add_up_in_any_case),
		cmocka_unit_test(a_privilege_alone_means_any_branch_there),
		cmocka_unit_test(an_unknown_filter_is_marked),
		cmocka_unit_test(branches_are_asked_for_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
