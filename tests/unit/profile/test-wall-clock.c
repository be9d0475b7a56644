/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "session/recording.h"

#include "profile/wall-clock.h"

static struct session *session_of(struct recording *rec, uint32_t type, uint64_t freq)
{
	*rec = recording_new();
	rec->attr.type = type;
	rec->attr.freq = freq != 0;
	rec->attr.sample_freq = freq;
	return opened(rec, false);
}

static void time_off_the_cpu_must_have_been_recorded(void **state)
{
	_cleanup_(recording_done) struct recording rec = { .fd = -1 };
	_cleanup_(session_freep) struct session *s = session_of(&rec, PERF_TYPE_SOFTWARE, 0);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct wall_clock w = { 0 };

	(void)state;
	assert_int_equal(wall_clock_find(s, &w, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "off the CPU"));
	assert_int_equal(wall_clock_find(s, &w, NULL), -ENODATA);
	assert_null(w.on);
}

static void a_clock_tells_nanoseconds(void **state)
{
	_cleanup_(recording_done) struct recording rec = { .fd = -1 };
	_cleanup_(session_freep) struct session *s = session_of(&rec, PERF_TYPE_SOFTWARE, 1000);
	struct wall_clock w = { 0 };

	(void)state;
	session_name_event(s, 1, WALL_CLOCK_OFF_CPU);
	assert_int_equal(wall_clock_find(s, &w, NULL), 0);
	assert_int_equal(w.on->index, 0);
	assert_int_equal(w.off->index, 1);
	assert_int_equal(w.ns_per_sample, 0);
}

static void other_events_stand_for_the_time_between_samples(void **state)
{
	_cleanup_(recording_done) struct recording rec = { .fd = -1 };
	_cleanup_(session_freep) struct session *s = session_of(&rec, PERF_TYPE_HARDWARE, 1000);
	struct wall_clock w = { 0 };

	(void)state;
	session_name_event(s, 1, WALL_CLOCK_OFF_CPU);
	assert_int_equal(wall_clock_find(s, &w, NULL), 0);
	assert_int_equal(w.ns_per_sample, 1000000);
}

static void events_without_a_frequency_tell_no_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = { .fd = -1 };
	_cleanup_(session_freep) struct session *s = session_of(&rec, PERF_TYPE_HARDWARE, 0);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct wall_clock w = { 0 };

	(void)state;
	session_name_event(s, 1, WALL_CLOCK_OFF_CPU);
	assert_int_equal(wall_clock_find(s, &w, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "on the CPU"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_off_the_cpu_must_have_been_recorded),
		cmocka_unit_test(a_clock_tells_nanoseconds),
		cmocka_unit_test(other_events_stand_for_the_time_between_samples),
		cmocka_unit_test(events_without_a_frequency_tell_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
