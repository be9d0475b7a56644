/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/recorded-event.h"
#include "capture/tracing.h"
#include "datafile/tracing-data.h"
#include "kernel/fake-tree.h"
#include "kernel/tracefs.h"

static const struct recorded_event events[] = {
	{ .name = "cycles" },
	{ .name = "sched:b", .system = "sched", .tracepoint = "b" },
	{ .name = "irq:x", .system = "irq", .tracepoint = "x" },
	{ .name = "sched:a", .system = "sched", .tracepoint = "a" },
	{ .name = "irq:x:u", .system = "irq", .tracepoint = "x" },
};

static struct tracefs *make_tracefs(const char *root)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct tracefs *t;

	fake_file(root, "events/header_page", "page\n");
	fake_file(root, "events/header_event", "event\n");
	fake_file(root, "events/sched/a/format", "name: a\n");
	fake_file(root, "events/sched/b/format", "name: b\n");
	fake_file(root, "events/irq/x/format", "name: x\n");
	assert_int_equal(tracefs_open(root, &t, &d), 0);
	return t;
}

static void assert_text(const char *text, size_t length, const char *wanted)
{
	assert_int_equal(length, strlen(wanted));
	assert_memory_equal(text, wanted, length);
}

static void formats_are_grouped_by_system_and_each_is_there_once(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = make_tracefs(*state);
	_cleanup_(tracing_data_done) struct tracing_data d = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "printk_formats", "0x1 : \"hi\"\n");
	assert_int_equal(tracing_collect(t, events, ARRAY_SIZE(events), &b, &diag), 0);
	assert_int_equal(tracing_data_parse(b.data, b.n, &d, &diag), 0);
	assert_text(d.header_page.text, d.header_page.length, "page\n");
	assert_text(d.header_event.text, d.header_event.length, "event\n");
	assert_int_equal(d.n_formats, 3);
	assert_string_equal(d.formats[0].system, "sched");
	assert_text(d.formats[0].text, d.formats[0].length, "name: b\n");
	assert_text(d.formats[1].text, d.formats[1].length, "name: a\n");
	assert_string_equal(d.formats[2].system, "irq");
	assert_text(d.printk, d.printk_length, "0x1 : \"hi\"\n");
	assert_int_equal(d.cmdlines_length, 0);
}

static void without_tracepoints_there_is_nothing(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = make_tracefs(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	assert_int_equal(tracing_collect(t, events, 1, &b, &diag), 0);
	assert_int_equal(b.n, 0);
}

static void a_format_that_is_gone_is_an_error(void **state)
{
	const struct recorded_event gone = { .name = "sched:gone",
					     .system = "sched",
					     .tracepoint = "gone" };
	_cleanup_(tracefs_freep) struct tracefs *t = make_tracefs(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	assert_true(tracing_collect(t, &gone, 1, &b, &diag) < 0);
	assert_non_null(diag.message);
	assert_int_equal(b.n, 0);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(formats_are_grouped_by_system_and_each_is_there_once),
		tree_test(without_tracepoints_there_is_nothing),
		tree_test(a_format_that_is_gone_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
