/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "capture/host-facts.h"
#include "capture/recorded-event.h"
#include "datafile/features.h"

static void events_have_their_names_and_ids(void **state)
{
	const uint64_t ids[] = { 4, 5 };
	const struct recorded_event events[] = {
		{ .attr.config = 9, .name = "dummy:HG", .ids = ids, .n_ids = 2 },
		{ .name = "x", .leader = 1 },
	};
	_cleanup_(features_done) struct features f = { 0 };

	(void)state;
	host_facts_events(events, 2, &f);
	assert_int_equal(f.event_descs.n, 2);
	assert_string_equal(f.event_descs.items[0].name, "dummy:HG");
	assert_int_equal(f.event_descs.items[0].attr.config, 9);
	assert_int_equal(f.event_descs.items[0].n_ids, 2);
	assert_int_equal(f.event_descs.items[0].ids[1], 5);
	assert_int_equal(f.event_descs.items[1].n_ids, 0);
	assert_true(features_have(&f, FEATURE_EVENT_DESC));
	assert_false(features_have(&f, FEATURE_GROUP_DESC));
	assert_false(features_have(&f, FEATURE_BRANCH_STACK));
}

static void groups_of_more_than_one_are_described(void **state)
{
	const struct recorded_event events[] = {
		{ .name = "alone", .leader = 0 },
		{ .name = "a", .leader = 1, .group_name = "mine" },
		{ .name = "b", .leader = 1 },
		{ .name = "c", .leader = 3 },
		{ .name = "d", .leader = 3, .attr.sample_type = PERF_SAMPLE_BRANCH_STACK },
		{ .name = "e", .leader = 3 },
	};
	_cleanup_(features_done) struct features f = { 0 };

	(void)state;
	host_facts_events(events, 6, &f);
	assert_int_equal(f.group_descs.n, 2);
	assert_string_equal(f.group_descs.items[0].name, "mine");
	assert_int_equal(f.group_descs.items[0].leader_idx, 1);
	assert_int_equal(f.group_descs.items[0].nr_members, 2);
	assert_string_equal(f.group_descs.items[1].name, "{anon_group}");
	assert_int_equal(f.group_descs.items[1].nr_members, 3);
	assert_true(features_have(&f, FEATURE_BRANCH_STACK));
}

static void a_clock_is_read_beside_the_wall_clock(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	(void)state;
	host_facts_clock(CLOCK_MONOTONIC, &f);
	assert_int_equal(f.clock_data.clockid, CLOCK_MONOTONIC);
	assert_true(f.clock_data.wall_clock_ns > f.clock_data.clockid_ns);
	assert_true(f.clockid_res_ns > 0);
	assert_true(features_have(&f, FEATURE_CLOCKID));
	assert_true(features_have(&f, FEATURE_CLOCK_DATA));
}

static void a_clock_that_is_none_is_left_out(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	(void)state;
	host_facts_clock(77777, &f);
	assert_false(features_have(&f, FEATURE_CLOCKID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_have_their_names_and_ids),
		cmocka_unit_test(groups_of_more_than_one_are_described),
		cmocka_unit_test(a_clock_is_read_beside_the_wall_clock),
		cmocka_unit_test(a_clock_that_is_none_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
