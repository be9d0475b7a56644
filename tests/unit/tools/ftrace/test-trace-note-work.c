/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/ftrace/trace-note-work.h"

static const char whole[] = "perf-ftrace 1 42 ab-cd\n"
			    "tracing_on 2\n1\n\n"
			    "options/irq-info 2\n0\n\n";

static void a_note_says_what_was_written(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct trace_note n;

	(void)state;
	trace_note_format_head(42, "ab-cd", &t);
	trace_note_format(&(struct trace_original){ "tracing_on", "1\n" }, &t);
	trace_note_format(&(struct trace_original){ "options/irq-info", "0\n" }, &t);
	assert_string_equal(t.chars, whole);
	assert_int_equal(trace_note_parse(t.chars, t.length, &n), 0);
	assert_int_equal(n.pid, 42);
	assert_string_equal(n.boot, "ab-cd");
	assert_int_equal(n.n, 2);
	assert_string_equal(n.items[1].file, "options/irq-info");
	assert_string_equal(n.items[1].text, "0\n");
	trace_note_done(&n);
}

static void an_entry_that_is_cut_short_is_left_out(void **state)
{
	struct trace_note n;

	(void)state;
	for (size_t size = strlen("perf-ftrace 1 42 ab-cd\n"); size < strlen(whole); size++) {
		assert_int_equal(trace_note_parse(whole, size, &n), 0);
		assert_in_range(n.n, 0, 1);
		trace_note_done(&n);
	}
}

static void assert_refused(const char *text)
{
	struct trace_note n;

	assert_int_equal(trace_note_parse(text, strlen(text), &n), -EBADMSG);
}

static void what_is_no_note_is_refused(void **state)
{
	(void)state;
	assert_refused("");
	assert_refused("perf-ftrace 1 42");
	assert_refused("perf-ftrace 2 42 ab\n");
	assert_refused("perf-ftrace 1 x ab\n");
	assert_refused("perf-ftrace 1 99999999999 ab\n");
}

static void no_path_leads_out_of_the_directory(void **state)
{
	(void)state;
	assert_refused("perf-ftrace 1 42 ab\n../../etc/passwd 1\nx\n");
	assert_refused("perf-ftrace 1 42 ab\n/etc/passwd 1\nx\n");
}

static void a_length_beyond_the_text_is_a_cut(void **state)
{
	static const char text[] = "perf-ftrace 1 42 ab\ntracing_on 18446744073709551615\n1\n";
	struct trace_note n;

	(void)state;
	assert_int_equal(trace_note_parse(text, strlen(text), &n), 0);
	assert_int_equal(n.n, 0);
	trace_note_done(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_note_says_what_was_written),
		cmocka_unit_test(an_entry_that_is_cut_short_is_left_out),
		cmocka_unit_test(what_is_no_note_is_refused),
		cmocka_unit_test(no_path_leads_out_of_the_directory),
		cmocka_unit_test(a_length_beyond_the_text_is_a_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
