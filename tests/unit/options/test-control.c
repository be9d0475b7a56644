/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/control.h"

static void a_channel_is_descriptors_or_fifos(void **state)
{
	(void)state;
	_cleanup_(control_request_done) struct control_request o = { 0 };

	assert_int_equal(PARSE(control_options, &o, "--control", "fd:9"), 0);
	assert_int_equal(o.channel.kind, CONTROL_FD);
	assert_int_equal(o.channel.fd, 9);
	assert_int_equal(o.channel.ack_fd, -1);
	assert_int_equal(PARSE(control_options, &o, "--control", "fd:9,10"), 0);
	assert_int_equal(o.channel.ack_fd, 10);
	assert_int_equal(PARSE(control_options, &o, "--control", "fifo:a:b,c"), 0);
	assert_int_equal(o.channel.kind, CONTROL_FIFO);
	assert_string_equal(o.channel.fifo, "a:b");
	assert_string_equal(o.channel.ack_fifo, "c");
}

static void other_channels_are_refused(void **state)
{
	(void)state;
	_cleanup_(control_request_done) struct control_request o = { 0 };
	static const char *const wrong[] = { "bad",     "fd:",      "fd:x",  "fd:3,x",
					     "fd:-1",   "fd:1,2,3", "fifo:", "fifo:,",
					     "fifo:a,", "/tmp/x",   "" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(PARSE(control_options, &o, "--control", (char *)wrong[i]),
				 -EINVAL);
	assert_true(says("fd:9,10"));
	assert_int_equal(o.channel.kind, CONTROL_NONE);
}

static void a_delay_is_milliseconds(void **state)
{
	(void)state;
	_cleanup_(control_request_done) struct control_request o = { 0 };

	assert_int_equal(PARSE(control_options, &o, "-D", "500"), 0);
	assert_int_equal(o.delay.n, 1);
	assert_int_equal(o.delay.items[0].from_ms, 500);
	assert_int_equal(o.delay.items[0].to_ms, DELAY_OPEN);
	assert_int_equal(PARSE(control_options, &o, "-D0"), 0);
	assert_int_equal(o.delay.n, 0);
	assert_false(o.delay.disabled);
}

static void minus_one_waits_for_control(void **state)
{
	(void)state;
	_cleanup_(control_request_done) struct control_request o = { 0 };

	assert_int_equal(PARSE(control_options, &o, "-D", "-1"), 0);
	assert_true(o.delay.disabled);
	assert_int_equal(PARSE(control_options, &o, "-D", "-2"), -EINVAL);
}

static void ranges_follow_each_other(void **state)
{
	(void)state;
	_cleanup_(control_request_done) struct control_request o = { 0 };
	static const char *const wrong[] = { "x",           "10-5", "10-10", "10-20,15-30",
					     "10-20,",      "10-",  "1-2-3", "10-20,20-40",
					     "10-20 30-40", "",     ",",     "10-20,,",
					     "10, 20" };

	assert_int_equal(PARSE(control_options_with_ranges, &o, "-D", "10-20,30-40"), 0);
	assert_int_equal(o.delay.n, 2);
	assert_int_equal(o.delay.items[1].from_ms, 30);
	assert_int_equal(o.delay.items[1].to_ms, 40);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (PARSE(control_options_with_ranges, &o, "-D", (char *)wrong[i]) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
	assert_int_equal(o.delay.n, 2);
}

static void counting_knows_no_ranges(void **state)
{
	(void)state;
	_cleanup_(control_request_done) struct control_request o = { 0 };

	assert_int_equal(PARSE(control_options, &o, "-D", "10-20"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_channel_is_descriptors_or_fifos),
		cmocka_unit_test(other_channels_are_refused),
		cmocka_unit_test(a_delay_is_milliseconds),
		cmocka_unit_test(minus_one_waits_for_control),
		cmocka_unit_test(ranges_follow_each_other),
		cmocka_unit_test(counting_knows_no_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
