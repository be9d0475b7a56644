/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "kernel/fake-tree.h"
#include "tools/ftrace/trace-buffer-work.h"

static int setup(void **state)
{
	int r = fake_tree_open(state);

	fake_file(*state, "current_tracer", "nop\n");
	fake_file(*state, "tracing_on", "1\n");
	fake_file(*state, "set_event", "");
	fake_file(*state, "trace", "old\n");
	fake_file(*state, "buffer_size_kb", "7 (expanded: 1408)\n");
	fake_file(*state, "set_ftrace_filter", "schedule\nloop_probe [loop]\n");
	fake_file(*state, "instances/", "");
	return r;
}

static char *path_of(void **state, const char *file)
{
	return xasprintf("%s/%s", (char *)*state, file);
}

static void assert_says(void **state, const char *file, const char *expected)
{
	struct trace_dir d;
	char *text;

	assert_int_equal(trace_dir_open(*state, &d), 0);
	assert_int_equal(trace_dir_read(&d, file, &text), 0);
	assert_string_equal(text, expected);
	free(text);
	trace_dir_close(&d);
}

static struct trace_buffer *take(void **state)
{
	char *note = path_of(state, "note");
	struct trace_buffer *b = NULL;
	struct diag diag = { 0 };

	assert_int_equal(trace_buffer_take(*state, note, &b, &diag), 0);
	free(note);
	return b;
}

static void the_global_buffer_becomes_what_it_was(void **state)
{
	struct trace_buffer *b = take(state);
	char *note = path_of(state, "note");
	struct diag diag = { 0 };

	assert_true(trace_buffer_is_global(b));
	assert_int_equal(trace_buffer_switch(b, false), 0);
	assert_int_equal(trace_buffer_set(b, "set_ftrace_filter", ""), 0);
	assert_int_equal(trace_buffer_add(b, "set_ftrace_filter", "vfs_read"), 0);
	assert_int_equal(trace_buffer_set(b, "current_tracer", "function_graph"), 0);
	assert_int_equal(trace_buffer_set(b, "max_graph_depth", "3"), -ENOENT);
	assert_says(state, "current_tracer", "function_graph\n");
	assert_int_equal(access(note, F_OK), 0);
	assert_int_equal(trace_buffer_release(b, &diag), 0);
	assert_says(state, "current_tracer", "nop\n");
	assert_says(state, "set_ftrace_filter", " \nschedule\nloop_probe\n\n");
	assert_says(state, "tracing_on", "1\n");
	assert_says(state, "trace", "\n");
	assert_int_equal(access(note, F_OK), -1);
	free(note);
}

static void a_setting_that_fits_is_not_written(void **state)
{
	struct trace_buffer *b = take(state);
	struct diag diag = { 0 };

	assert_int_equal(trace_buffer_set(b, "set_ftrace_filter", "schedule\nloop_probe\n"), 0);
	assert_says(state, "set_ftrace_filter", "schedule\nloop_probe [loop]\n");
	assert_int_equal(trace_buffer_release(b, &diag), 0);
}

static void assert_refused(void **state, const char *why)
{
	char *note = path_of(state, "note");
	struct trace_buffer *b;
	struct diag diag = { 0 };

	assert_int_equal(trace_buffer_take(*state, note, &b, &diag), -EBUSY);
	assert_string_equal(diag.message, why);
	diag_done(&diag);
	free(note);
}

static void who_traces_already_is_not_disturbed(void **state)
{
	fake_file(*state, "current_tracer", "function\n");
	assert_refused(state, "the tracer 'function' is at work in the global trace buffer");
	fake_file(*state, "current_tracer", "nop\n");
	fake_file(*state, "set_event", "sched:sched_switch\nirq:*\n");
	assert_refused(state, "events are traced in the global trace buffer: sched:sched_switch");
}

static void one_perf_uses_it_at_a_time(void **state)
{
	struct trace_buffer *b = take(state);
	struct diag diag = { 0 };

	assert_refused(state, "another perf ftrace is at work in the global trace buffer");
	assert_int_equal(trace_buffer_release(b, &diag), 0);
	b = take(state);
	assert_int_equal(trace_buffer_release(b, &diag), 0);
}

/* Leaves a note of this boot, as a perf that was killed does. */
static void leave_note(void **state, const char *boot)
{
	char *text = xasprintf("perf-ftrace 1 42 %s\ntracing_on 2\n0\n\ncurrent_tracer 4\nnop\n\n",
			       boot);

	fake_file(*state, "note", text);
	fake_file(*state, "current_tracer", "function_graph\n");
	free(text);
}

static void repair(void **state, struct notes *notes)
{
	char *note = path_of(state, "note");

	trace_buffers_repair(*state, note, notes);
	assert_int_equal(access(note, F_OK), -1);
	free(note);
}

static void what_a_killed_perf_changed_is_restored(void **state)
{
	struct notes notes = { 0 };
	struct trace_dir proc;
	char *boot;

	assert_int_equal(trace_dir_open("/proc/sys/kernel/random", &proc), 0);
	assert_int_equal(trace_dir_read_line(&proc, "boot_id", &boot), 0);
	leave_note(state, boot);
	repair(state, &notes);
	assert_says(state, "current_tracer", "nop\n");
	assert_says(state, "tracing_on", "0\n");
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "2 settings are restored"));
	notes_done(&notes);
	free(boot);
	trace_dir_close(&proc);
}

static void a_note_of_an_earlier_boot_is_dropped(void **state)
{
	struct notes notes = { 0 };

	leave_note(state, "another");
	repair(state, &notes);
	assert_says(state, "current_tracer", "function_graph\n");
	assert_int_equal(notes.n, 0);
}

static void instances_of_dead_processes_are_removed(void **state)
{
	char *mine = path_of(state, "instances/perf-1"), *foreign = path_of(state, "instances/x"),
	     *dead = path_of(state, "instances/perf-2147483647");
	struct notes notes = { 0 };

	fake_file(*state, "instances/perf-1/", "");
	fake_file(*state, "instances/x/", "");
	fake_file(*state, "instances/perf-2147483647/", "");
	trace_buffers_repair(*state, "/nowhere/note", &notes);
	assert_int_equal(access(mine, F_OK), 0);
	assert_int_equal(access(foreign, F_OK), 0);
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(notes.n, 1);
	notes_done(&notes);
	free(mine);
	free(foreign);
	free(dead);
}

static void an_instance_is_made_and_removed(void **state)
{
	struct trace_buffer *b = NULL;
	struct diag diag = { 0 };
	char *path;

	assert_int_equal(trace_buffer_make(*state, &b, &diag), 0);
	assert_false(trace_buffer_is_global(b));
	path = xstrdup(trace_buffer_dir(b)->path);
	assert_int_equal(access(path, F_OK), 0);
	/* As in an old kernel, the global buffer is no longer enlarged when it is used. */
	fake_file(*state, "buffer_size_kb", "7\n");
	assert_int_equal(trace_buffer_release(b, &diag), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_says(state, "buffer_size_kb", "1408\n");
	free(path);
}

static void a_tracefs_without_instances_is_told(void **state)
{
	char *folder = path_of(state, "instances");
	struct trace_buffer *b;
	struct diag diag = { 0 };

	rmdir(folder);
	assert_int_equal(trace_buffer_make(*state, &b, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "cannot set up tracing"));
	diag_done(&diag);
	free(folder);
}

static void read_only_is_told_with_the_cure(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(trace_buffer_explain("/t", -EROFS, &diag), -EROFS);
	assert_string_equal(diag.message, "tracefs is mounted read-only at /t");
	assert_non_null(strstr(diag.hint, "remount,rw /t"));
	diag_done(&diag);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_global_buffer_becomes_what_it_was),
		TEST(a_setting_that_fits_is_not_written),
		TEST(who_traces_already_is_not_disturbed),
		TEST(one_perf_uses_it_at_a_time),
		TEST(what_a_killed_perf_changed_is_restored),
		TEST(a_note_of_an_earlier_boot_is_dropped),
		TEST(instances_of_dead_processes_are_removed),
		TEST(an_instance_is_made_and_removed),
		TEST(a_tracefs_without_instances_is_told),
		TEST(read_only_is_told_with_the_cure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
