/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/probe-events.h"
#include "kernel/tracefs.h"

static struct tracefs *tree(void **state)
{
	struct diag d = { 0 };
	struct tracefs *t = NULL;

	fake_file(*state, "events/sched/sched_switch/id", "300\n");
	assert_int_equal(tracefs_open(*state, &t, &d), 0);
	return t;
}

static void lines_are_read(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = tree(state);
	_cleanup_(probe_events_freep) struct probe_events *e = NULL;
	_cleanup_(name_list_done) struct name_list l = { 0 };
	struct diag d = { 0 };

	fake_file(*state, "kprobe_events", "p:probe/a f\np:probe/b g");
	assert_int_equal(probe_events_open(t, PROBE_EVENTS_KERNEL, false, &e, &d), 0);
	assert_int_equal(probe_events_read(e, &l), 0);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[1], "p:probe/b g");
}

static void what_is_written_is_added_to_what_is_there(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = tree(state);
	_cleanup_(probe_events_freep) struct probe_events *e = NULL;
	_cleanup_(name_list_done) struct name_list l = { 0 };
	struct diag d = { 0 };

	fake_file(*state, "uprobe_events", "p:probe_x/a /bin/x:0x10\n");
	assert_int_equal(probe_events_open(t, PROBE_EVENTS_USER, true, &e, &d), 0);
	assert_int_equal(probe_events_write(e, "p:probe_x/b /bin/x:0x20", &d), 0);
	assert_int_equal(probe_events_read(e, &l), 0);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0], "p:probe_x/a /bin/x:0x10");
	assert_string_equal(l.items[1], "p:probe_x/b /bin/x:0x20");
}

static void a_missing_file_names_the_option(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = tree(state);
	struct probe_events *e = (struct probe_events *)1;
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(probe_events_open(t, PROBE_EVENTS_USER, true, &e, &d), -ENOENT);
	assert_string_equal(d.message, "uprobe_events file does not exist - please rebuild kernel "
				       "with CONFIG_UPROBE_EVENTS");
	assert_int_equal(probe_events_open(t, PROBE_EVENTS_KERNEL, true, &e, &d), -ENOENT);
	assert_non_null(strstr(d.message, "CONFIG_KPROBE_EVENTS"));
	assert_ptr_equal(e, (struct probe_events *)1);
}

static void a_line_that_the_kernel_would_split_is_not_written(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = tree(state);
	_cleanup_(probe_events_freep) struct probe_events *e = NULL;
	_cleanup_(name_list_done) struct name_list l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	char line[4200];

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	fake_file(*state, "kprobe_events", "");
	assert_int_equal(probe_events_open(t, PROBE_EVENTS_KERNEL, true, &e, &d), 0);
	assert_int_equal(probe_events_write(e, line, &d), -E2BIG);
	assert_non_null(strstr(d.message, "4199 characters"));
	assert_int_equal(probe_events_read(e, &l), 0);
	assert_int_equal(l.n, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_are_read),
		TEST(what_is_written_is_added_to_what_is_there),
		TEST(a_missing_file_names_the_option),
		TEST(a_line_that_the_kernel_would_split_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
