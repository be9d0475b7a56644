/* SPDX-License-Identifier: MIT */
#include "example-filter.h"

#include <fcntl.h>
#include <signal.h>

static struct trace_tasks *tasks;
static struct trace_task *task;

static int setup(void **state)
{
	(void)state;
	tasks = trace_tasks_new(false);
	task = trace_tasks_named(tasks, 5, 6, "nginx");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	trace_tasks_free(tasks);
	return 0;
}

static bool passes(const char *text, struct trace_call *c)
{
	_cleanup_(trace_filter_freep) struct trace_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct example_scope s;

	example_scope(&s, CALLS());
	c->task = task;
	if (trace_filter_parse(text, &s.scope, &f, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	return trace_filter_passes(f, tasks, c);
}

static void numbers_are_compared(void **state)
{
	struct trace_call c = example_call("read", 3, 0x1000, 4096);

	(void)state;
	assert_true(passes("count == 4096", &c));
	assert_true(passes("count == 0x1000", &c));
	assert_true(passes("count == 010000", &c));
	assert_true(passes("count >= 4096 && count <= 4096", &c));
	assert_false(passes("count > 4096 || count < 4096", &c));
	assert_false(passes("count != 4096", &c));
	assert_true(passes("count & 0x1800", &c));
	assert_false(passes("count & 0x800", &c));
	assert_true(passes("!(count == 1)", &c));
	assert_true(passes("!!(count == 4096)", &c));
	assert_true(passes("  ( fd==3 )  ", &c));
}

static void and_binds_tighter_than_or(void **state)
{
	struct trace_call c = example_call("read", 3, 0, 1);

	(void)state;
	assert_true(passes("fd == 3 || fd == 4 && count == 9", &c));
	assert_false(passes("(fd == 3 || fd == 4) && count == 9", &c));
}

static void the_unused_half_of_a_register_does_not_count(void **state)
{
	struct trace_call c = example_call("read", 0xdeadbeef00000003, 0, 1);

	(void)state;
	assert_true(passes("fd == 3", &c));
	c.args[0] = 0xffffffff;
	assert_true(passes("fd == -1", &c));
	assert_true(passes("fd < 0", &c));
	c.args[0] = UINT64_MAX;
	assert_true(passes("fd == -1", &c));
}

static void names_of_flags_signals_and_errors_are_numbers(void **state)
{
	struct trace_call c = example_call("openat", (uint64_t)AT_FDCWD, 0, O_CREAT | O_EXCL);
	struct trace_call k = example_call("kill", 77, SIGTERM, 0);

	(void)state;
	assert_true(passes("flags & CREAT", &c));
	assert_true(passes("flags & O_CREAT|O_TRUNC", &c));
	assert_false(passes("flags & TRUNC", &c));
	assert_true(passes("flags == CREAT|EXCL", &c));
	assert_true(passes("flags == CREAT|0x80", &c));
	assert_true(passes("dfd == CWD", &c));
	assert_true(passes("sig == SIGTERM", &k));
	assert_true(passes("sig == TERM", &k));
	assert_false(passes("sig == KILL", &k));
	c.result = -ENOENT;
	assert_true(passes("ret == -ENOENT", &c));
	assert_true(passes("ret < 0", &c));
	assert_false(passes("ret == -EACCES", &c));
	assert_true(passes("filename == NULL", &c));
}

static void text_is_compared_as_a_whole_or_by_a_glob(void **state)
{
	struct call_data d = { .arg = 1, .size = 12, .bytes = (const uint8_t *)"/etc/passwd" };
	struct trace_call c = example_call("openat", 0, 0x1000, 0);

	(void)state;
	c.data = &d;
	c.n_data = 1;
	assert_true(passes("filename ~ \"/etc/*\"", &c));
	assert_true(passes("filename == '/etc/passwd'", &c));
	assert_false(passes("filename != '/etc/passwd'", &c));
	assert_true(passes("filename != '/etc'", &c));
	assert_false(passes("filename ~ '/etc'", &c));
	d.size = 11;
	assert_true(passes("filename == '/etc/passwd'", &c));
	d.flags = CALL_DATA_FAULT;
	assert_false(passes("filename ~ '*'", &c));
	c.n_data = 0;
	assert_false(passes("filename ~ '*'", &c));
	assert_false(passes("filename != 'x'", &c));
}

static void a_descriptor_can_be_chosen_by_its_path(void **state)
{
	struct trace_call c = example_call("read", 3, 0, 1);

	(void)state;
	trace_task_opened(tasks, task, 3, "/var/log/syslog", 1);
	assert_true(passes("fd ~ '/var/log/*'", &c));
	assert_false(passes("fd ~ '/etc/*'", &c));
	c.args[0] = 4;
	assert_false(passes("fd ~ '*'", &c));
}

static void the_task_the_duration_and_the_cpu_are_fields(void **state)
{
	struct trace_call c = example_call("read", 3, 0, 1);

	(void)state;
	c.cpu = 2;
	assert_true(passes("comm == 'nginx' && COMM ~ 'ng*'", &c));
	assert_true(passes("pid == 5 && tid == 6 && common_pid == 6 && cpu == 2 && CPU < 3", &c));
	assert_true(passes("duration == 2", &c));
	assert_true(passes("duration >= 2000us && duration < 0.003s", &c));
	assert_true(passes("duration == 2000000ns", &c));
	assert_false(passes("duration > 99999999999999999999", &c));
	c.enter_ns = 0;
	assert_false(passes("duration > 0", &c));
}

static void an_argument_comes_before_a_field_of_the_same_name(void **state)
{
	struct trace_call k = example_call("kill", 77, 9, 0), r = example_call("read", 3, 0, 1);

	(void)state;
	assert_true(passes("pid == 77", &k));
	assert_false(passes("pid == 5", &k));
	assert_true(passes("pid == 5", &r));
	assert_true(passes("common_pid == 6", &k));
}

static void an_argument_that_the_call_does_not_have_is_no_match(void **state)
{
	struct trace_call c = example_call("getpid", 0, 0, 0);

	(void)state;
	assert_false(passes("filename == 0", &c));
	assert_false(passes("filename != 0", &c));
	assert_true(passes("!(filename == 0)", &c));
	c = example_call("read", 3, 0, 1);
	c.has_enter = false;
	assert_false(passes("fd == 3", &c));
	c = example_call("read", 3, 0, 1);
	c.desc = NULL;
	assert_false(passes("fd == 3", &c));
	c.abi = SYSCALL_ABI_ARM;
	assert_false(passes("fd == 3", &c));
	c.abi = 99;
	assert_false(passes("comm == 'nginx'", &c));
}

static void a_call_that_goes_on_passes_only_if_its_end_does_not_matter(void **state)
{
	struct trace_call c = example_call("read", 3, 0, 1);

	(void)state;
	c.exit_ns = 0;
	assert_true(passes("fd == 3", &c));
	assert_false(passes("ret == 0", &c));
	assert_false(passes("!(ret == 0)", &c));
	assert_false(passes("duration > 1", &c));
	assert_true(passes("fd == 3 || ret < 0", &c));
	assert_true(passes("ret < 0 || fd == 3", &c));
	assert_false(passes("fd == 3 && ret < 0", &c));
	assert_false(passes("buf ~ 'x*'", &c));
	assert_false(passes("!(buf ~ 'x*')", &c));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(numbers_are_compared),
		TEST(and_binds_tighter_than_or),
		TEST(the_unused_half_of_a_register_does_not_count),
		TEST(names_of_flags_signals_and_errors_are_numbers),
		TEST(text_is_compared_as_a_whole_or_by_a_glob),
		TEST(a_descriptor_can_be_chosen_by_its_path),
		TEST(the_task_the_duration_and_the_cpu_are_fields),
		TEST(an_argument_comes_before_a_field_of_the_same_name),
		TEST(an_argument_that_the_call_does_not_have_is_no_match),
		TEST(a_call_that_goes_on_passes_only_if_its_end_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
