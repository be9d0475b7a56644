/* SPDX-License-Identifier: MIT */
#include "example-tracepoints.h"

#include <errno.h>

#include "pairs/pair-rule.h"
#include "session/recording.h"

static void a_typed_pair_has_an_end_and_a_begin(void **state)
{
	struct typed_pair t = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("a:b,c:d", "dev,sector", &t, &diag), 0);
	assert_int_equal(t.spec.n_rules, 2);
	assert_int_equal(t.rules[0].role, PAIR_END);
	assert_string_equal(t.rules[0].event, "c:d");
	assert_string_equal(t.rules[0].keys, "dev,sector");
	assert_int_equal(t.rules[1].role, PAIR_BEGIN);
	assert_string_equal(t.rules[1].event, "a:b");
	assert_string_equal(t.rules[1].keys, "dev,sector");
	typed_pair_done(&t);
}

static void without_a_key_it_is_the_thread(void **state)
{
	struct typed_pair t = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("a,b", NULL, &t, &diag), 0);
	assert_string_equal(t.rules[0].keys, "tid");
	assert_string_equal(t.rules[1].keys, "tid");
	typed_pair_done(&t);
}

static void a_field_may_have_two_names(void **state)
{
	struct typed_pair t = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("a,b", "cpu,pid=next_pid", &t, &diag), 0);
	assert_string_equal(t.rules[0].keys, "cpu,next_pid");
	assert_string_equal(t.rules[1].keys, "cpu,pid");
	typed_pair_done(&t);
}

static void commas_within_slashes_do_not_part_events(void **state)
{
	struct typed_pair t = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("cpu/a=1,b=2/,c", NULL, &t, &diag), 0);
	assert_string_equal(t.rules[1].event, "cpu/a=1,b=2/");
	assert_string_equal(t.rules[0].event, "c");
	typed_pair_done(&t);
}

static void refused(const char *pair, const char *key)
{
	struct typed_pair t = { .spec.n_rules = 99 };
	struct diag diag = { 0 };

	assert_int_equal(typed_pair_parse(pair, key, &t, &diag), -EINVAL);
	assert_int_equal(t.spec.n_rules, 99);
	assert_non_null(diag.message);
	diag_done(&diag);
}

static void malformed_pairs_are_refused(void **state)
{
	(void)state;
	refused("", NULL);
	refused("a", NULL);
	refused(",a", NULL);
	refused("a,", NULL);
	refused("a,b,c", NULL);
	refused("cpu/a,b", NULL);
}

static void malformed_keys_are_refused(void **state)
{
	(void)state;
	refused("a,b", "");
	refused("a,b", "x,");
	refused("a,b", ",x");
	refused("a,b", "x,,y");
	refused("a,b", "=x");
	refused("a,b", "x=");
	refused("a,b", "a,b,c,d,e");
}

static bool is_about(const char *pattern, const struct session_event *e)
{
	return pair_rule_is_about(&(struct pair_rule){ .event = pattern }, e);
}

static void events_go_by_any_of_their_names(void **state)
{
	struct session_event e = { .name = (char *)"my name",
				   .system = "syscalls",
				   .tracepoint = "sys_enter_futex" };
	struct session_event other = { .name = (char *)"cycles" };

	(void)state;
	assert_true(is_about("my name", &e));
	assert_true(is_about("sys_enter_futex", &e));
	assert_true(is_about("syscalls:sys_enter_futex", &e));
	assert_true(is_about("syscalls:sys_enter_*", &e));
	assert_false(is_about("sched:sys_enter_futex", &e));
	assert_false(is_about("syscalls:sys_exit_*", &e));
	assert_true(is_about("cycles", &other));
	assert_false(is_about("syscalls:*", &other));
}

static int check(uint64_t sample_type, const char *pair, const char *key, struct diag *diag)
{
	struct recording rec = recording_of(sample_type);
	struct session *s = opened(&rec, false);
	struct typed_pair t = { 0 };
	int r = typed_pair_parse(pair, key, &t, diag);

	assert_int_equal(r, 0);
	r = pair_spec_check(&t.spec, s, diag);
	typed_pair_done(&t);
	session_free(s);
	recording_done(&rec);
	return r;
}

#define TIMED (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static void a_recording_with_both_events_will_do(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(check(TIMED, "cpu-clock,task-clock", "tid", &diag), 0);
}

static void what_a_recording_lacks_is_named(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(check(TIMED, "cpu-clock,a:b", "tid", &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "has no event a:b, only cpu-clock"));
	assert_int_equal(check(TIMED, "a:c,a:b", "tid", &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "has no event a:c"));
	assert_int_equal(check(TIMED, "cpu-clock,task-clock", "dev", &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "has no field 'dev'"));
	assert_int_equal(check(PERF_SAMPLE_IDENTIFIER, "cpu-clock,task-clock", "tid", &diag),
			 -EINVAL);
	assert_non_null(strstr(diag.message, "have no times"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_typed_pair_has_an_end_and_a_begin),
		cmocka_unit_test(without_a_key_it_is_the_thread),
		cmocka_unit_test(a_field_may_have_two_names),
		cmocka_unit_test(commas_within_slashes_do_not_part_events),
		cmocka_unit_test(malformed_pairs_are_refused),
		cmocka_unit_test(malformed_keys_are_refused),
		cmocka_unit_test(events_go_by_any_of_their_names),
		cmocka_unit_test(a_recording_with_both_events_will_do),
		cmocka_unit_test(what_a_recording_lacks_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
