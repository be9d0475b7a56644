/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/events.h"

static void the_order_of_the_line_is_kept(void **state)
{
	(void)state;
	_cleanup_(event_words_done) struct event_words e = { 0 };

	assert_int_equal(
		PARSE(event_options, &e, "-e", "a", "--filter", "x", "-e", "b", "-G", "g,h"), 0);
	assert_int_equal(e.n, 4);
	assert_int_equal(e.items[0].kind, EVENT_WORD_EVENT);
	assert_int_equal(e.items[1].kind, EVENT_WORD_FILTER);
	assert_string_equal(e.items[1].text, "x");
	assert_string_equal(e.items[2].text, "b");
	assert_int_equal(e.items[3].kind, EVENT_WORD_CGROUP);
	assert_true(event_words_have(&e, EVENT_WORD_CGROUP));
	assert_false(event_words_have(&e, EVENT_WORD_PFM));
}

static void a_filter_needs_an_event_before_it(void **state)
{
	(void)state;
	_cleanup_(event_words_done) struct event_words e = { 0 };

	assert_int_equal(PARSE(event_options, &e, "--filter", "x", "-e", "a"), -EINVAL);
	assert_true(says("--filter option should follow a -e tracepoint or HW tracer option"));
	assert_int_equal(e.n, 0);
	assert_int_equal(PARSE(event_options, &e, "--pfm-events", "a", "--filter", "x"), 0);
	assert_int_equal(e.n, 2);
}

static void excluding_perf_needs_an_event_too(void **state)
{
	(void)state;
	static const struct option options[] = {
		OPT_CALL(0, "exclude-perf", struct event_words, items, NULL, "",
			 .set = event_words_set_exclude_perf, .flags = OPTION_NO_VALUE),
		OPT_CALL('M', "metrics", struct event_words, items, "m", "",
			 .set = event_words_set_metric),
		OPT_END
	};
	_cleanup_(event_words_done) struct event_words e = { 0 };

	assert_int_equal(PARSE(options, &e, "-M", "ipc", "--exclude-perf"), -EINVAL);
	assert_int_equal(e.n, 1);
	assert_int_equal(PARSE(event_options, &e, "-e", "a"), 0);
	assert_int_equal(PARSE(options, &e, "--exclude-perf"), 0);
	assert_int_equal(e.items[2].kind, EVENT_WORD_EXCLUDE_PERF);
	assert_null(e.items[2].text);
}

static void a_cgroup_may_come_without_events(void **state)
{
	(void)state;
	_cleanup_(event_words_done) struct event_words e = { 0 };

	assert_int_equal(PARSE(event_options, &e, "-G", "cgname"), 0);
}

static void events_cannot_be_taken_back(void **state)
{
	(void)state;
	_cleanup_(event_words_done) struct event_words e = { 0 };

	assert_int_equal(PARSE(event_options, &e, "--no-event"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_the_line_is_kept),
		cmocka_unit_test(a_filter_needs_an_event_before_it),
		cmocka_unit_test(excluding_perf_needs_an_event_too),
		cmocka_unit_test(a_cgroup_may_come_without_events),
		cmocka_unit_test(events_cannot_be_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
