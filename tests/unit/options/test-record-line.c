/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "scratch-folder.h"

/* Makes a tracefs that has sched:sched_switch and nothing else. */
static void make_tracefs(void)
{
	assert_int_equal(
		system("mkdir -p events/sched/sched_switch && "
		       "echo 7 > events/sched/sched_switch/id && touch events/header_page"),
		0);
}

static int add(struct record_line *l, const struct record_event *events, size_t n, struct diag *d)
{
	const struct settings settings = { .debugfs_dir = "." };
	const struct invocation inv = { .settings = &settings };

	make_tracefs();
	return record_line_add_events(l, &inv, events, n, d);
}

static void events_that_the_kernel_lacks_are_replaced_or_left_out(void **state)
{
	static const struct record_event events[] = {
		{ .name = "sched:sched_switch" },
		{ .name = "sched:sched_stat_wait", .optional = true },
		{ .name = "sched:sched_new", .or_else = "sched:sched_switch" },
	};
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	record_line_add(&l, "-a");
	assert_int_equal(add(&l, events, ARRAY_SIZE(events), &d), 0);
	assert_int_equal(l.n, 5);
	assert_string_equal(l.items[0], "-a");
	assert_string_equal(l.items[1], "-e");
	assert_string_equal(l.items[2], "sched:sched_switch");
	assert_string_equal(l.items[4], "sched:sched_switch");
}

static void an_event_that_is_needed_is_named(void **state)
{
	static const struct record_event events[] = { { .name = "lock:contention_begin" } };
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(add(&l, events, 1, &d), -ENOENT);
	assert_string_equal(d.message, "the kernel has no tracepoint lock:contention_begin");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			events_that_the_kernel_lacks_are_replaced_or_left_out, enter_scratch_folder,
			leave_scratch_folder),
		cmocka_unit_test_setup_teardown(an_event_that_is_needed_is_named,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
