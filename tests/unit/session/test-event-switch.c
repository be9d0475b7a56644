/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/event-switch.h"
#include "session/session.h"

static const struct session_event on = { .index = 0 }, off = { .index = 1 }, other = { .index = 2 };

static void without_events_nothing_is_left_out(void **state)
{
	struct event_switch w = { 0 };

	(void)state;
	assert_false(event_switch_leaves_out(&w, &other));
}

static void samples_count_between_the_two(void **state)
{
	struct event_switch w = { .on = &on, .off = &off, .is_off = true };

	(void)state;
	assert_true(event_switch_leaves_out(&w, &other));
	assert_true(event_switch_leaves_out(&w, &off));
	assert_true(event_switch_leaves_out(&w, &on));
	assert_false(event_switch_leaves_out(&w, &other));
	assert_false(event_switch_leaves_out(&w, &on)); /* already on */
	assert_true(event_switch_leaves_out(&w, &off));
	assert_true(event_switch_leaves_out(&w, &other));
}

static void an_event_that_turns_it_may_count_itself(void **state)
{
	struct event_switch w = { .on = &on, .is_off = true, .shows = true };

	(void)state;
	assert_false(event_switch_leaves_out(&w, &on));
	assert_false(event_switch_leaves_out(&w, &other));
}

static void without_an_event_to_turn_it_on_it_is_on_until_it_goes_off(void **state)
{
	struct event_switch w = { .off = &off };

	(void)state;
	assert_false(event_switch_leaves_out(&w, &other));
	assert_true(event_switch_leaves_out(&w, &off));
	assert_true(event_switch_leaves_out(&w, &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_events_nothing_is_left_out),
		cmocka_unit_test(samples_count_between_the_two),
		cmocka_unit_test(an_event_that_turns_it_may_count_itself),
		cmocka_unit_test(without_an_event_to_turn_it_on_it_is_on_until_it_goes_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
