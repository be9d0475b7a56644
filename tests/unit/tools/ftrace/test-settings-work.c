/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "tools/ftrace/settings-work.h"

static struct ftrace_settings make(const struct ftrace_request *rq, struct cpu_list *cpus,
				   struct task_list *tasks)
{
	struct ftrace_settings s;

	ftrace_settings_make(rq, cpus, tasks, &s);
	return s;
}

/* Returns the @n-th setting of @file. */
static const struct ftrace_setting *find(const struct ftrace_settings *s, const char *file,
					 size_t n)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->items[i].file, file) && n-- == 0)
			return &s->items[i];
	return NULL;
}

static void the_tracer_follows_from_the_functions(void **state)
{
	const char *names[] = { "schedule" };
	struct ftrace_request rq = { .tracer = "blk" };

	(void)state;
	assert_string_equal(ftrace_request_tracer(&rq), "blk");
	rq.traced = (struct ftrace_functions){ names, 1, 1 };
	assert_string_equal(ftrace_request_tracer(&rq), "function");
	rq.not_graphed = rq.traced;
	assert_string_equal(ftrace_request_tracer(&rq), "function_graph");
	rq = (struct ftrace_request){ .tracer = "function", .needs_graph = true };
	assert_string_equal(ftrace_request_tracer(&rq), "function_graph");
	rq = (struct ftrace_request){ 0 };
	assert_string_equal(ftrace_request_tracer(&rq), "function_graph");
}

static void tracing_is_off_first_and_the_tracer_comes_last(void **state)
{
	struct cpu_list cpus = { 0 };
	struct task_list tasks = { 0 };
	struct ftrace_settings s = make(&(struct ftrace_request){ 0 }, &cpus, &tasks);

	(void)state;
	assert_string_equal(s.items[0].file, "tracing_on");
	assert_string_equal(s.items[0].value, "0");
	assert_string_equal(s.items[s.n - 1].file, "current_tracer");
	/*
	 * A setting that was not requested has its default value, and may be missing in a kernel.
	 */
	assert_string_equal(find(&s, "options/sleep-time", 0)->value, "1");
	assert_null(find(&s, "options/sleep-time", 0)->option);
	assert_null(find(&s, "buffer_size_kb", 0));
	ftrace_settings_done(&s);
}

static void lists_are_emptied_and_then_filled(void **state)
{
	const char *names[] = { "schedule", "*sleep" };
	struct target_task items[] = { { .tid = 12 }, { .tid = 34 } };
	struct cpu_list cpus = { 0 };
	struct task_list tasks = { items, 2, 2 };
	struct ftrace_settings s = make(&(struct ftrace_request){ .traced = { names, 2, 2 } },
					&cpus, &tasks);

	(void)state;
	assert_string_equal(find(&s, "set_ftrace_filter", 0)->value, "");
	assert_string_equal(find(&s, "set_ftrace_filter", 2)->value, "*sleep");
	assert_true(find(&s, "set_ftrace_filter", 2)->is_added);
	assert_string_equal(find(&s, "set_ftrace_filter", 2)->option, "-T");
	assert_string_equal(find(&s, "set_ftrace_pid", 0)->value, "");
	assert_string_equal(find(&s, "set_ftrace_pid", 2)->value, "34");
	/* The function tracer has no graph. */
	assert_null(find(&s, "set_graph_function", 0));
	ftrace_settings_done(&s);
}

static void masks_have_a_word_for_32_cpus(void **state)
{
	unsigned few[] = { 0, 1 }, many[] = { 1, 33, 64 };
	struct cpu_list cpus = { few, 2, 2 };
	struct task_list tasks = { 0 };
	struct ftrace_settings s = make(&(struct ftrace_request){ 0 }, &cpus, &tasks);

	(void)state;
	assert_string_equal(find(&s, "tracing_cpumask", 0)->value, "3");
	ftrace_settings_done(&s);
	cpus = (struct cpu_list){ many, 3, 3 };
	s = make(&(struct ftrace_request){ 0 }, &cpus, &tasks);
	assert_string_equal(find(&s, "tracing_cpumask", 0)->value, "1,00000002,00000002");
	ftrace_settings_done(&s);
}

static void what_is_asked_for_names_its_option(void **state)
{
	const struct ftrace_request rq = {
		.graph = { .nosleep_time = true, .retval_hex = true, .depth = 4, .verbose = true },
		.buffer_kb = 4096,
		.inherit = true,
	};
	struct cpu_list cpus = { 0 };
	struct task_list tasks = { 0 };
	struct ftrace_settings s = make(&rq, &cpus, &tasks);

	(void)state;
	assert_string_equal(find(&s, "options/sleep-time", 0)->value, "0");
	assert_string_equal(find(&s, "options/sleep-time", 0)->option, "--graph-opts nosleep-time");
	assert_string_equal(find(&s, "options/funcgraph-retval", 0)->value, "1");
	assert_string_equal(find(&s, "options/latency-format", 0)->value, "1");
	assert_string_equal(find(&s, "max_graph_depth", 0)->value, "4");
	assert_string_equal(find(&s, "buffer_size_kb", 0)->value, "4096");
	assert_string_equal(find(&s, "options/function-fork", 0)->option, "--inherit");
	assert_null(find(&s, "tracing_thresh", 0)->option);
	ftrace_settings_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tracer_follows_from_the_functions),
		cmocka_unit_test(tracing_is_off_first_and_the_tracer_comes_last),
		cmocka_unit_test(lists_are_emptied_and_then_filled),
		cmocka_unit_test(masks_have_a_word_for_32_cpus),
		cmocka_unit_test(what_is_asked_for_names_its_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
