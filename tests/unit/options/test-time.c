/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/time.h"

struct opts {
	struct time_window window;
	uint64_t duration_ns;
};

static const struct option options[] = {
	OPT_CALL(0, "time", struct opts, window, "time", "", .set = time_window_set),
	OPT_CALL(0, "quantum", struct opts, duration_ns, "time", "", .set = duration_set), OPT_END
};

static void done(struct opts *o)
{
	time_window_done(&o->window);
}

static void seconds_keep_every_nanosecond(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "--time", "9007199.254740993,9007200.1"), 0);
	assert_int_equal(o.window.n, 1);
	assert_false(o.window.relative);
	assert_int_equal(o.window.items[0].from_ns, 9007199254740993);
	assert_int_equal(o.window.items[0].to_ns, 9007200100000000);
}

static void either_end_may_be_left_out(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "--time", "1.5,"), 0);
	assert_int_equal(o.window.items[0].to_ns, TIME_OPEN);
	assert_int_equal(PARSE(options, &o, "--time", ",2"), 0);
	assert_int_equal(o.window.items[0].from_ns, 0);
	assert_int_equal(PARSE(options, &o, "--time", "1,2 3,4  5,"), 0);
	assert_int_equal(o.window.n, 3);
	assert_int_equal(o.window.items[2].from_ns, 5000000000);
}

static void parts_of_the_profile_are_percentages(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "--time", "10%/2"), 0);
	assert_true(o.window.relative);
	assert_true(o.window.items[0].from_percent == 10 && o.window.items[0].to_percent == 20);
	assert_int_equal(PARSE(options, &o, "--time", "0%-10%,30%-40%"), 0);
	assert_int_equal(o.window.n, 2);
	assert_true(o.window.items[1].from_percent == 30 && o.window.items[1].to_percent == 40);
	assert_int_equal(PARSE(options, &o, "--time", "10%"), 0);
	assert_true(o.window.items[0].from_percent == 0 && o.window.items[0].to_percent == 10);
}

static void what_is_no_span_is_refused(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };
	static const char *const wrong[] = {
		"",        "5",           "x",       "5,4",
		"-1,5",    "1,2,3",       "5s,6s",   "1.1234567891,2",
		"10%/0",   "10%/11",      "10%/x",   "110%",
		"0%-110%", "10%/1 10%/2", "20%-10%", "1,2 ",
		"10%,",    "5%-10",
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (PARSE(options, &o, "--time", (char *)wrong[i]) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
	assert_int_equal(o.window.n, 0);
	assert_true(says("12.5,13"));
}

static void the_last_window_wins(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "--time", "1,2", "--time", "50%/2"), 0);
	assert_int_equal(o.window.n, 1);
	assert_true(o.window.relative);
	assert_int_equal(PARSE(options, &o, "--no-time"), 0);
	assert_int_equal(o.window.n, 0);
}

static void a_duration_has_a_unit(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };
	static const char *const wrong[] = { "x", "0s", "5ss", "", "-1ms", "99999999999s", "5 ms" };

	assert_int_equal(PARSE(options, &o, "--quantum", "5us"), 0);
	assert_int_equal(o.duration_ns, 5000);
	assert_int_equal(PARSE(options, &o, "--quantum", "2s"), 0);
	assert_int_equal(o.duration_ns, 2000000000);
	assert_int_equal(PARSE(options, &o, "--quantum", "7"), 0);
	assert_int_equal(o.duration_ns, 7);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(PARSE(options, &o, "--quantum", (char *)wrong[i]), -EINVAL);
	assert_int_equal(o.duration_ns, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_keep_every_nanosecond),
		cmocka_unit_test(either_end_may_be_left_out),
		cmocka_unit_test(parts_of_the_profile_are_percentages),
		cmocka_unit_test(what_is_no_span_is_refused),
		cmocka_unit_test(the_last_window_wins),
		cmocka_unit_test(a_duration_has_a_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
