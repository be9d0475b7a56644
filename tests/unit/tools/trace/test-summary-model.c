/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "session/consumer.h"
#include "session/session.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/summary-model.h"
#include "tools/trace/tasks-model.h"

/* Numbers of x86_64. */
enum {
	NR_READ = 0,
	NR_WRITE = 1,
	NR_OPEN = 2,
	NR_EXIT_GROUP = 231
};

static void add(struct trace_summary *s, struct trace_task *task, int nr, uint64_t ns,
		int64_t result)
{
	trace_summary_add(s, &(struct trace_call){ .task = task,
						   .abi = SYSCALL_ABI_X86_64,
						   .nr = nr,
						   .has_enter = true,
						   .enter_ns = 1000,
						   .exit_ns = 1000 + ns,
						   .result = result });
}

static void calls_of_a_thread_are_counted(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task ls = { .tid = 7, .comm = "ls" };
	struct trace_summary_group **groups;
	const struct trace_summary_call *c;
	size_t n;

	(void)state;
	add(s, &ls, NR_READ, 100, 5);
	add(s, &ls, NR_READ, 300, -4);
	add(s, &ls, NR_READ, 200, -2);
	groups = trace_summary_groups(s, &n);
	assert_int_equal(n, 1);
	assert_int_equal(groups[0]->id, 7);
	assert_string_equal(groups[0]->name, "ls");
	assert_int_equal(groups[0]->events, 6);
	assert_float_equal(groups[0]->share, 1, 0);
	assert_int_equal(groups[0]->n_calls, 1);
	c = groups[0]->calls[0];
	assert_string_equal(c->name, "read");
	assert_int_equal(c->calls, 3);
	assert_int_equal(c->errors, 2);
	assert_int_equal(c->total_ns, 600);
	assert_int_equal(c->min_ns, 100);
	assert_int_equal(c->max_ns, 300);
	assert_float_equal(c->duration_ns.mean, 200, 1e-9);
	assert_int_equal(c->rows[6], 1); /* 64 to 127 */
	assert_int_equal(c->rows[7], 1);
	assert_int_equal(c->rows[8], 1);
	assert_int_equal(c->errnos.n, 2);
	assert_int_equal(c->errnos.items[0].error, 2);
	assert_int_equal(c->errnos.items[1].error, 4);
}

static void a_call_whose_begin_is_unknown_took_no_time(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task ls = { .tid = 7, .comm = "ls" };
	struct trace_summary_group **groups;
	size_t n;

	(void)state;
	trace_summary_add(s, &(struct trace_call){ .task = &ls,
						   .abi = SYSCALL_ABI_X86_64,
						   .nr = NR_READ,
						   .exit_ns = 1000 });
	groups = trace_summary_groups(s, &n);
	assert_int_equal(groups[0]->events, 1);
	assert_int_equal(groups[0]->calls[0]->calls, 1);
	assert_int_equal(groups[0]->calls[0]->total_ns, 0);
	assert_int_equal(groups[0]->calls[0]->rows[0], 1);
}

static void a_call_that_does_not_end_is_an_event_only(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task ls = { .tid = 7, .comm = "ls" };
	struct trace_summary_group **groups;
	size_t n;

	(void)state;
	trace_summary_add(s, &(struct trace_call){ .part = TRACE_CALL_NO_RETURN,
						   .task = &ls,
						   .abi = SYSCALL_ABI_X86_64,
						   .nr = NR_EXIT_GROUP,
						   .has_enter = true,
						   .enter_ns = 5 });
	groups = trace_summary_groups(s, &n);
	assert_int_equal(groups[0]->events, 1);
	assert_int_equal(groups[0]->n_calls, 0);
}

static void a_call_in_two_parts_counts_once(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task ls = { .tid = 7, .comm = "ls" };
	struct trace_call c = { .part = TRACE_CALL_BEGUN,
				.task = &ls,
				.abi = SYSCALL_ABI_X86_64,
				.nr = NR_READ,
				.has_enter = true,
				.enter_ns = 5 };
	struct trace_summary_group **groups;
	size_t n;

	(void)state;
	trace_summary_add(s, &c);
	c.part = TRACE_CALL_CONTINUED;
	c.exit_ns = 25;
	trace_summary_add(s, &c);
	groups = trace_summary_groups(s, &n);
	assert_int_equal(groups[0]->events, 2);
	assert_int_equal(groups[0]->calls[0]->calls, 1);
	assert_int_equal(groups[0]->calls[0]->total_ns, 20);
}

static void groups_ascend_by_events_and_calls_descend_by_time(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task a = { .tid = 9, .comm = "a" }, b = { .tid = 8, .comm = "b" },
			  busy = { .tid = 1, .comm = "busy" };
	struct trace_summary_group **groups;
	size_t n;

	(void)state;
	add(s, &busy, NR_READ, 10, 0);
	add(s, &busy, NR_WRITE, 30, 0);
	add(s, &busy, NR_OPEN, 20, 0);
	add(s, &a, NR_READ, 1000, 0);
	add(s, &b, NR_READ, 1000, 0);
	groups = trace_summary_groups(s, &n);
	assert_int_equal(n, 3);
	assert_string_equal(groups[0]->name, "b");
	assert_string_equal(groups[1]->name, "a");
	assert_string_equal(groups[2]->name, "busy");
	assert_string_equal(groups[2]->calls[0]->name, "write");
	assert_string_equal(groups[2]->calls[1]->name, "open");
	assert_string_equal(groups[2]->calls[2]->name, "read");
}

static void in_all_there_is_one_group_without_a_name(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_TOTAL);
	struct trace_task a = { .tid = 9, .comm = "a" }, b = { .tid = 8, .comm = "b" };
	struct trace_summary_group **groups;
	size_t n;

	(void)state;
	add(s, &a, NR_READ, 10, 0);
	add(s, &b, NR_READ, 10, 0);
	groups = trace_summary_groups(s, &n);
	assert_int_equal(n, 1);
	assert_string_equal(groups[0]->name, "");
	assert_int_equal(groups[0]->events, 4);
	assert_int_equal(groups[0]->calls[0]->calls, 2);
}

static void cgroups_are_groups(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_CGROUP);
	struct trace_task a = { .tid = 9, .comm = "a", .cgroup = 50 };
	struct trace_summary_group **groups;
	size_t n;

	(void)state;
	add(s, &a, NR_READ, 10, 0);
	trace_summary_group(s, 50, "/system.slice");
	groups = trace_summary_groups(s, &n);
	assert_int_equal(n, 1);
	assert_int_equal(groups[0]->id, 50);
	assert_string_equal(groups[0]->name, "/system.slice");
}

static void page_faults_are_counted_by_kind(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task task = { .tid = 9, .comm = "a" };
	struct session_event major = { .attr = { .type = PERF_TYPE_SOFTWARE,
						 .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ } };
	struct session_event minor = { .attr = { .type = PERF_TYPE_SOFTWARE,
						 .config = PERF_COUNT_SW_PAGE_FAULTS_MIN } };
	struct session_event any = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_PAGE_FAULTS } };
	/* An event with the same number, of another type. */
	struct session_event other = { .attr = { .type = PERF_TYPE_TRACEPOINT,
						 .config = PERF_COUNT_SW_PAGE_FAULTS_MIN } };
	const struct trace_summary_group *g;

	(void)state;
	trace_summary_sample(s, &(struct session_sample){ .event = &major }, &task);
	trace_summary_sample(s, &(struct session_sample){ .event = &minor }, &task);
	trace_summary_sample(s, &(struct session_sample){ .event = &any }, &task);
	trace_summary_sample(s, &(struct session_sample){ .event = &other }, &task);
	g = trace_summary_group(s, 9, NULL);
	assert_int_equal(g->events, 4);
	assert_int_equal(g->major_faults, 1);
	assert_int_equal(g->minor_faults, 2);
}

static void events_of_nobody_count_in_total_alone(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *total =
		trace_summary_new(TRACE_SUMMARY_TOTAL);
	_cleanup_(trace_summary_freep) struct trace_summary *threads =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct session_event any = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_PAGE_FAULTS } };
	const struct session_sample sample = { .event = &any };
	size_t n;

	(void)state;
	trace_summary_sample(total, &sample, NULL);
	trace_summary_sample(threads, &sample, NULL);
	assert_int_equal(trace_summary_group(total, 0, NULL)->minor_faults, 1);
	trace_summary_groups(threads, &n);
	assert_int_equal(n, 0);
}

static void run_times_are_those_of_the_tasks(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_TOTAL);
	_cleanup_(trace_tasks_freep) struct trace_tasks *tasks = trace_tasks_new(false);

	(void)state;
	trace_tasks_get(tasks, 5, 5)->runtime_ns = 100;
	trace_tasks_get(tasks, 6, 6)->runtime_ns = 20;
	trace_summary_runtimes(s, tasks);
	assert_int_equal(trace_summary_group(s, 0, NULL)->runtime_ns, 120);
}

static void a_task_has_its_newest_name(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	char comm[16] = "sh";
	struct trace_task task = { .tid = 9, .comm = comm };

	(void)state;
	add(s, &task, NR_READ, 10, 0);
	strcpy(comm, "ls");
	add(s, &task, NR_READ, 10, 0);
	strcpy(comm, "gone");
	assert_string_equal(trace_summary_group(s, 9, NULL)->name, "ls");
}

static void numbers_without_a_name_are_shown_as_numbers(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task task = { .tid = 9, .comm = "a" };
	struct trace_summary_group *g = trace_summary_group(s, 9, NULL);

	(void)state;
	add(s, &task, 4000, 10, 0);
	add(s, &task, -1, 10, 0);
	assert_string_equal(g->calls[0]->name, "syscall_4000");
	assert_string_equal(g->calls[1]->name, "syscall_-1");
}

/* Returns durations that are spread over many rows. */
static uint64_t example_ns(unsigned i)
{
	return (uint64_t)(i * 7919 % 1000) << i % 20;
}

static void merging_equals_adding(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *all =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	_cleanup_(trace_summary_freep) struct trace_summary *merged =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	_cleanup_(trace_summary_freep) struct trace_summary *first =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	_cleanup_(trace_summary_freep) struct trace_summary *second =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_summary *parts[] = { first, second };
	struct trace_task task = { .tid = 9, .comm = "a" };
	const struct trace_summary_call *x, *y;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		int64_t result = i % 3 ? 0 : -(int64_t)(i % 5) - 1;

		add(all, &task, NR_READ, example_ns(i), result);
		add(parts[i > 300], &task, NR_READ, example_ns(i), result);
	}
	for (size_t i = 0; i < 2; i++)
		trace_summary_merge(merged, 9, "a",
				    trace_summary_group(parts[i], 9, NULL)->calls[0]);
	x = trace_summary_group(all, 9, NULL)->calls[0];
	y = trace_summary_group(merged, 9, NULL)->calls[0];
	assert_int_equal(x->calls, y->calls);
	assert_int_equal(x->errors, y->errors);
	assert_int_equal(x->total_ns, y->total_ns);
	assert_int_equal(x->min_ns, y->min_ns);
	assert_int_equal(x->max_ns, y->max_ns);
	assert_memory_equal(x->rows, y->rows, sizeof(x->rows));
	assert_true(moments_noise(&x->duration_ns) / moments_noise(&y->duration_ns) > 1 - 1e-9);
	assert_true(moments_noise(&x->duration_ns) / moments_noise(&y->duration_ns) < 1 + 1e-9);
	assert_int_equal(x->errnos.n, y->errnos.n);
	for (size_t i = 0; i < x->errnos.n; i++)
		assert_int_equal(x->errnos.items[i].count, y->errnos.items[i].count);
}

static void nothing_that_is_merged_changes_nothing(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);

	(void)state;
	trace_summary_merge(s, 9, "a", &(struct trace_summary_call){ .nr = NR_READ });
	assert_int_equal(trace_summary_group(s, 9, NULL)->n_calls, 0);
}

static void the_top_is_sorted_over_all_groups(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task a = { .tid = 9, .comm = "a" }, b = { .tid = 8, .comm = "b" };
	struct trace_summary_line top[3];

	(void)state;
	add(s, &a, NR_READ, 10, 0);
	add(s, &a, NR_WRITE, 40, 0);
	add(s, &b, NR_READ, 30, 0);
	add(s, &b, NR_WRITE, 20, 0);
	add(s, &b, NR_OPEN, 50, 0);
	assert_int_equal(trace_summary_top(s, top, 3), 5);
	assert_int_equal(top[0].call->total_ns, 50);
	assert_string_equal(top[1].group->name, "a");
	assert_int_equal(top[1].call->total_ns, 40);
	assert_int_equal(top[2].call->total_ns, 30);
	assert_int_equal(trace_summary_top(s, NULL, 0), 5);
}

static void quantiles_lie_between_the_ends_of_their_row(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task task = { .tid = 9, .comm = "a" };
	const struct trace_summary_call *c;

	(void)state;
	for (unsigned i = 1; i <= 1000; i++)
		add(s, &task, NR_READ, i, 0);
	c = trace_summary_group(s, 9, NULL)->calls[0];
	assert_in_range(trace_summary_quantile(c, 0.5), 490, 510);
	assert_in_range(trace_summary_quantile(c, 0.99), 980, 1000);
	assert_int_equal(trace_summary_quantile(c, 0), 1);
	assert_int_equal(trace_summary_quantile(c, 1), 1000);
}

static void a_single_call_is_each_of_its_quantiles(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_task task = { .tid = 9, .comm = "a" };
	const struct trace_summary_call *c;

	(void)state;
	/* The call is longer than all rows. */
	add(s, &task, NR_READ, 3600000000000, 0);
	c = trace_summary_group(s, 9, NULL)->calls[0];
	assert_int_equal(c->rows[TRACE_SUMMARY_ROWS - 1], 1);
	assert_true(trace_summary_quantile(c, 0.01) == 3600000000000);
	assert_true(trace_summary_quantile(c, 0.99) == 3600000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_of_a_thread_are_counted),
		cmocka_unit_test(a_call_whose_begin_is_unknown_took_no_time),
		cmocka_unit_test(a_call_that_does_not_end_is_an_event_only),
		cmocka_unit_test(a_call_in_two_parts_counts_once),
		cmocka_unit_test(groups_ascend_by_events_and_calls_descend_by_time),
		cmocka_unit_test(in_all_there_is_one_group_without_a_name),
		cmocka_unit_test(cgroups_are_groups),
		cmocka_unit_test(page_faults_are_counted_by_kind),
		cmocka_unit_test(events_of_nobody_count_in_total_alone),
		cmocka_unit_test(run_times_are_those_of_the_tasks),
		cmocka_unit_test(a_task_has_its_newest_name),
		cmocka_unit_test(numbers_without_a_name_are_shown_as_numbers),
		cmocka_unit_test(merging_equals_adding),
		cmocka_unit_test(nothing_that_is_merged_changes_nothing),
		cmocka_unit_test(the_top_is_sorted_over_all_groups),
		cmocka_unit_test(quantiles_lie_between_the_ends_of_their_row),
		cmocka_unit_test(a_single_call_is_each_of_its_quantiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
