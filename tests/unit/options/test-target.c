/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/target.h"

static void processes_threads_cpus_and_users_are_read(void **state)
{
	(void)state;
	_cleanup_(target_done) struct target t = { 0 };

	assert_int_equal(PARSE(target_options, &t, "-ap1,2", "-t", "3", "-C0-1", "-u", "root"), 0);
	assert_true(t.all_cpus);
	assert_int_equal(t.pids.n, 2);
	assert_int_equal(t.tids.n, 1);
	assert_int_equal(t.cpus.n, 2);
	assert_true(t.user.given);
	assert_int_equal(t.user.uid, 0);
}

static void a_user_may_be_a_number_without_a_name(void **state)
{
	(void)state;
	struct target t = { 0 };

	assert_int_equal(PARSE(target_options, &t, "-u", "4123456"), 0);
	assert_int_equal(t.user.uid, 4123456);
}

static void an_unknown_user_is_refused(void **state)
{
	(void)state;
	struct target t = { 0 };

	assert_int_equal(PARSE(target_options, &t, "-u", "no such user"), -EINVAL);
	assert_true(says("there is no user 'no such user'"));
	assert_int_equal(PARSE(target_options, &t, "-u", ""), -EINVAL);
	assert_int_equal(PARSE(target_options, &t, "-u", "99999999999"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_threads_cpus_and_users_are_read),
		cmocka_unit_test(a_user_may_be_a_number_without_a_name),
		cmocka_unit_test(an_unknown_user_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
