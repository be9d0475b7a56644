/* SPDX-License-Identifier: MIT */
#include "cmd/parse.h"

#include "cmd/opt/target.h"

static void processes_threads_cpus_and_users_are_read(void **state)
{
	(void)state;
	_cleanup_(target_opts_done) struct target_opts t = { 0 };

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
	struct target_opts t = { 0 };

	assert_int_equal(PARSE(target_options, &t, "-u", "4123456"), 0);
	assert_int_equal(t.user.uid, 4123456);
}

static void an_unknown_user_is_refused(void **state)
{
	(void)state;
	struct target_opts t = { 0 };

	assert_int_equal(PARSE(target_options, &t, "-u", "no such user"), -EINVAL);
	assert_true(says("there is no user 'no such user'"));
	assert_int_equal(PARSE(target_options, &t, "-u", ""), -EINVAL);
	assert_int_equal(PARSE(target_options, &t, "-u", "99999999999"), -EINVAL);
}

/* What settling says about a command line, and "" for nothing. */
static const char *settled(struct target_opts *t, char **words)
{
	assert_int_equal(parse_words(target_options, t, words, OPTION_STOP_POSITIONAL), 0);

	const char *warning = target_opts_settle(t);

	return warning ? warning : "";
}

#define SETTLED(t, ...) settled(t, (char *[]){ __VA_ARGS__, NULL })

static void a_process_beats_cpus_users_and_the_system(void **state)
{
	(void)state;
	_cleanup_(target_opts_done) struct target_opts a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };

	assert_string_equal(SETTLED(&a, "-p1", "-C0"), "PID/TID switch overriding CPU");
	assert_int_equal(a.cpus.n, 0);
	assert_string_equal(SETTLED(&b, "-t1", "-u0"), "PID/TID switch overriding UID");
	assert_false(b.user.given);
	assert_string_equal(SETTLED(&c, "-p1", "-a"),
			    "PID/TID switch overriding SYSTEM"); /* ST-09 */
	assert_false(c.all_cpus);
	assert_string_equal(SETTLED(&d, "-p1", "-t2"), "");
}

static void a_user_beats_cpus_and_the_system(void **state)
{
	(void)state;
	_cleanup_(target_opts_done) struct target_opts a = { 0 }, b = { 0 };

	assert_string_equal(SETTLED(&a, "-u0", "-C0"), "UID switch overriding CPU");
	assert_string_equal(SETTLED(&b, "-u0", "-a"), "UID switch overriding SYSTEM");
	assert_false(b.all_cpus);
}

static void the_system_beats_per_thread(void **state)
{
	(void)state;
	_cleanup_(target_opts_done) struct target_opts a = { .per_thread = true };
	_cleanup_(target_opts_done) struct target_opts b = { .per_thread = true };

	assert_string_equal(SETTLED(&a, "-a"), "SYSTEM/CPU switch overriding PER-THREAD");
	assert_false(a.per_thread);
	assert_string_equal(SETTLED(&b, "-p1"), "");
	assert_true(b.per_thread);
}

static void only_the_first_conflict_is_told(void **state)
{
	(void)state;
	_cleanup_(target_opts_done) struct target_opts t = { 0 };

	assert_string_equal(SETTLED(&t, "-u0", "-p1", "-C0", "-a"),
			    "PID/TID switch overriding CPU");
	assert_false(t.all_cpus);
	assert_false(t.user.given);
}

static void without_a_target_and_a_command_it_is_the_system(void **state)
{
	(void)state;
	_cleanup_(target_opts_done) struct target_opts t = { 0 };

	assert_true(target_opts_is_system(&t, false)); /* RC-46 */
	assert_false(target_opts_is_system(&t, true));
	assert_int_equal(PARSE(target_options, &t, "-C4"), 0);
	assert_true(target_opts_is_system(&t, true)); /* RC-08 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_threads_cpus_and_users_are_read),
		cmocka_unit_test(a_user_may_be_a_number_without_a_name),
		cmocka_unit_test(an_unknown_user_is_refused),
		cmocka_unit_test(a_process_beats_cpus_users_and_the_system),
		cmocka_unit_test(a_user_beats_cpus_and_the_system),
		cmocka_unit_test(the_system_beats_per_thread),
		cmocka_unit_test(only_the_first_conflict_is_told),
		cmocka_unit_test(without_a_target_and_a_command_it_is_the_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
