/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void members_have_names(void **state)
{
	(void)state;
	const int64_t second[] = { 1, 500 };
	struct made_call m;

	MADE(&m, "nanosleep", 0x1000, 0);
	points_to(&m, 0, 0, second, sizeof(second), 0);
	assert_args(&m, &named, "rqtp: { .tv_sec: 1, .tv_nsec: 500 }");
	assert_args(&m, &bare, "{1, 500}, NULL");
	assert_args_json(&m, "{\"args\": {\"rqtp\": {\"tv_sec\": 1, \"tv_nsec\": 500}, "
			     "\"rmtp\": null}}");
}

static void short_structs_show_what_is_there(void **state)
{
	(void)state;
	const int64_t second[] = { -1, 500 };
	struct made_call m;

	MADE(&m, "nanosleep", 0x1000, 0);
	points_to(&m, 0, 0, second, 15, 0);
	assert_args(&m, &named, "rqtp: { .tv_sec: -1 }");
	m.data[0].size = 3;
	assert_args(&m, &named, "rqtp: {  }");
}

static void special_numbers_have_names(void **state)
{
	(void)state;
	const uint64_t limits[] = { 1024, UINT64_MAX };
	const uint64_t times[] = { 0, 0x3fffffff, 0, 0x3ffffffe };
	struct made_call m;

	MADE(&m, "setrlimit", 7, 0x1000);
	points_to(&m, 1, 0, limits, sizeof(limits), 0);
	assert_args(&m, &named, "resource: NOFILE, rlim: { .rlim_cur: 1024, .rlim_max: INFINITY }");
	MADE(&m, "utimensat", -100ul, 0, 0x1000, 0);
	points_to(&m, 2, 0, times, sizeof(times), 0);
	assert_args(&m, &named,
		    "dfd: CWD, utimes: [{ .tv_sec: 0, .tv_nsec: NOW }, "
		    "{ .tv_sec: 0, .tv_nsec: OMIT }]");
}

static void arrays_of_structs_are_arrays(void **state)
{
	(void)state;
	const struct {
		int32_t fd;
		uint16_t events, revents;
	} polled[] = { { 1, 1, 0 }, { 2, 4, 0x14 } };
	struct made_call m;

	MADE(&m, "poll", 0x1000, 2, 10);
	points_to(&m, 0, 0, polled, sizeof(polled), 0);
	assert_args(&m, &named,
		    "ufds: [{ .fd: 1, .events: IN, .revents: 0 }, "
		    "{ .fd: 2, .events: OUT, .revents: OUT|HUP }], "
		    "nfds: 2, timeout_msecs: 10");
	m.data[0].size = 12;
	assert_args(&m, &bare, "[{1, IN, 0}, ...], 2, 10");
}

static void structs_lie_in_structs(void **state)
{
	(void)state;
	const int64_t timer[] = { 1, 2, 3, 4 };
	struct made_call m;

	MADE(&m, "setitimer", 0, 0x1000, 0);
	points_to(&m, 1, 0, timer, sizeof(timer), 0);
	assert_args(&m, &named,
		    "which: REAL, value: { .it_interval: { .tv_sec: 1, .tv_usec: 2 }, "
		    ".it_value: { .tv_sec: 3, .tv_usec: 4 } }");
}

static void further_members_are_shown_on_request(void **state)
{
	(void)state;
	const struct trace_value_style all = { .shows_all = true };
	_cleanup_(text_done) struct text few = TEXT_EMPTY, many = TEXT_EMPTY;
	const uint8_t stat[256] = { 1 };
	struct made_call m;

	MADE(&m, "stat", 0x1000, 0x2000);
	points_to(&m, 1, 0, stat, sizeof(stat), CALL_DATA_AT_EXIT);
	trace_args_text(&few, &m.call, &bare);
	trace_args_text(&many, &m.call, &all);
	assert_true(many.length > few.length + 10);
}

static const struct struct_layout *other_layout(void *arg, const char *name)
{
	static const struct struct_member members[] = {
		{ .name = "seconds",
		  .bytes = 8,
		  .kind = ARG_INT,
		  .is_signed = true,
		  .count = 1,
		  .is_shown = true },
	};
	static const struct struct_layout layout = { "timespec", 16, members, 1 };

	assert_string_equal(name, "timespec");
	assert_ptr_equal(arg, NULL);
	return &layout;
}

static void layouts_of_btf_are_taken_on_request(void **state)
{
	(void)state;
	const struct trace_value_style btf = { .shows_names = true,
					       .prefers_btf = true,
					       .layout = other_layout };
	const int64_t second[] = { 1, 500 };
	struct made_call m;

	MADE(&m, "nanosleep", 0x1000, 0);
	points_to(&m, 0, 0, second, sizeof(second), 0);
	assert_args(&m, &btf, "rqtp: { .seconds: 1 }");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_have_names),
		cmocka_unit_test(short_structs_show_what_is_there),
		cmocka_unit_test(special_numbers_have_names),
		cmocka_unit_test(arrays_of_structs_are_arrays),
		cmocka_unit_test(structs_lie_in_structs),
		cmocka_unit_test(further_members_are_shown_on_request),
		cmocka_unit_test(layouts_of_btf_are_taken_on_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
