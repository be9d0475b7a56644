/* SPDX-License-Identifier: MIT */
/* Software events on children and CPUs of this machine: they count the same everywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/counters.h"
#include "capture/events.h"
#include "capture/tasks.h"
#include "kernel/pmu.h"
#include "kernel/topology.h"

struct bench {
	struct event_list events;
	struct task_list tasks;
	struct cpu_list cpus;
	struct counters counters;
	struct diag diag;
	struct child child;
	size_t open_files; /* before anything was opened */
};

static size_t count_open_files(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static int set_up(void **state)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	*state = b;
	b->child = child_new(0);
	b->open_files = count_open_files();
	*ARRAY_ADD(&b->tasks) = (struct target_task){ .tid = b->child.pid };
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	counters_close(&b->counters);
	assert_int_equal(count_open_files(), b->open_files);
	event_list_done(&b->events);
	task_list_done(&b->tasks);
	cpu_list_done(&b->cpus);
	diag_done(&b->diag);
	if (b->child.pid)
		child_done(&b->child);
	free(b);
	return 0;
}

static int try_open(struct bench *b)
{
	const struct counters_request rq = {
		.events = &b->events,
		.tasks = &b->tasks,
		.cpus = &b->cpus,
		.inherit = true,
	};

	need_events();
	return counters_open(&rq, &b->counters, &b->diag);
}

static void must_open(struct bench *b)
{
	int r = try_open(b);

	if (r < 0)
		fail_msg("%d: %s", r, b->diag.message);
}

static void count_some_work(struct bench *b)
{
	assert_int_equal(counters_begin(&b->counters), 0);
	child_work(&b->child);
	assert_int_equal(counters_end(&b->counters), 0);
	assert_int_equal(counters_read(&b->counters), 0);
}

static const struct count *count_of(const struct bench *b, size_t event)
{
	return &b->counters.items[event].counts[0];
}

static void a_task_is_counted_from_begin_to_end(void **state)
{
	struct bench *b = *state;

	add_task_clock(&b->events);
	add_faults(&b->events);
	add_switches(&b->events);
	must_open(b);
	child_work(&b->child);
	assert_int_equal(counters_read(&b->counters), 0);
	assert_int_equal(count_of(b, 1)->value, 0);
	count_some_work(b);
	assert_true(count_of(b, 0)->value > 0);
	assert_in_range(count_of(b, 1)->value, 64, 1000);
	/* Its switches are the kernel's doing, which an ordinary user may not see. */
	assert_true(count_of(b, 2)->value > 0 || b->events.items[2]->attr.exclude_kernel);
	assert_true(count_of(b, 0)->enabled > 0);
	assert_int_equal(count_of(b, 0)->enabled, count_of(b, 0)->running);
}

static void what_comes_after_the_end_is_not_counted(void **state)
{
	struct bench *b = *state;

	add_faults(&b->events);
	must_open(b);
	count_some_work(b);

	uint64_t before = count_of(b, 0)->value;

	child_work(&b->child);
	assert_int_equal(counters_read(&b->counters), 0);
	assert_int_equal(count_of(b, 0)->value, before);
}

static void a_group_is_counted_together(void **state)
{
	struct bench *b = *state;

	add_switches(&b->events);
	add_faults(&b->events);
	add_task_clock(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_in_range(count_of(b, 1)->value, 64, 1000);
	assert_true(count_of(b, 2)->value > 0);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(b->counters.items[i].leader, 0);
		assert_int_equal(count_of(b, i)->enabled, count_of(b, 0)->enabled);
		assert_int_equal(b->events.items[i]->attr.disabled, 0);
	}
}

static void the_threads_of_a_process_add_up(void **state)
{
	struct bench *b = *state;
	struct child c = child_new(3);
	uint64_t sum = 0;

	task_list_done(&b->tasks);
	assert_int_equal(task_list_add_process(&b->tasks, c.pid, &b->diag), 0);
	add_faults(&b->events);
	must_open(b);
	assert_int_equal(b->counters.items[0].n_tasks, 4);
	counters_begin(&b->counters);
	child_work(&c);
	counters_end(&b->counters);
	assert_int_equal(counters_read(&b->counters), 0);
	for (size_t i = 0; i < 4; i++)
		sum += b->counters.items[0].counts[i].value;
	assert_in_range(sum, 64, 1000);
	counters_close(&b->counters);
	child_done(&c);
}

static void an_event_that_nobody_has_is_marked_and_the_others_count(void **state)
{
	struct bench *b = *state;

	add_unsupported(&b->events);
	add_faults(&b->events);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[0].state, COUNTER_UNSUPPORTED);
	assert_int_equal(b->counters.items[0].error, -ENOENT);
	assert_int_equal(b->counters.items[1].state, COUNTER_OPEN);
	assert_true(count_of(b, 1)->value >= 64);
}

static void a_member_that_nobody_has_does_not_spoil_its_group(void **state)
{
	struct bench *b = *state;

	add_task_clock(&b->events);
	add_unsupported(&b->events);
	add_faults(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[1].state, COUNTER_UNSUPPORTED);
	assert_true(count_of(b, 0)->value > 64);
	assert_in_range(count_of(b, 2)->value, 64, 1000);
}

static void a_group_without_its_leader_is_not_counted(void **state)
{
	struct bench *b = *state;

	add_unsupported(&b->events);
	add_faults(&b->events);
	make_group(&b->events, 0);
	add_switches(&b->events);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[0].state, COUNTER_UNSUPPORTED);
	assert_int_equal(b->counters.items[1].state, COUNTER_UNSUPPORTED);
	assert_int_equal(b->counters.items[1].error, -ENOENT);
	assert_int_equal(b->counters.items[2].state, COUNTER_OPEN);
}

static void a_weak_group_without_its_leader_is_taken_apart(void **state)
{
	struct bench *b = *state;

	add_unsupported(&b->events)->modifiers.weak_group = true;
	add_faults(&b->events);
	add_switches(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[0].state, COUNTER_UNSUPPORTED);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(b->counters.items[i].state, COUNTER_OPEN);
		assert_int_equal(b->counters.items[i].leader, i);
		assert_int_equal(b->events.items[i]->attr.disabled, 1);
		assert_int_equal(b->events.items[i]->attr.read_format, 3);
	}
	assert_true(count_of(b, 1)->value >= 64);
}

/* Breakpoints on nothing: the kernel knows them, but not so. */
static void a_weak_group_that_does_not_fit_is_taken_apart(void **state)
{
	struct bench *b = *state;

	add_switches(&b->events)->modifiers.weak_group = true;
	add_faults(&b->events);
	event_add(&b->events, "mem:0", PERF_TYPE_BREAKPOINT, 0);
	add_task_clock(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[2].error, -EINVAL);
	/* Nobody is called ":uu" after a second try. */
	assert_null(strstr(b->events.items[2]->name, "uu"));
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(b->counters.items[i].leader, i);
		assert_int_equal(b->counters.items[i].state,
				 i == 2 ? COUNTER_UNSUPPORTED : COUNTER_OPEN);
		assert_int_equal(b->events.items[i]->attr.read_format, 3);
	}
	assert_true(count_of(b, 1)->value >= 64);
}

static void perfs_own_events_take_no_part_in_a_group(void **state)
{
	struct bench *b = *state;

	add_unsupported(&b->events)->tool = EVENT_TOOL_DURATION_TIME;
	add_faults(&b->events);
	add_switches(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[0].state, COUNTER_ABSENT);
	assert_int_equal(b->counters.items[1].leader, 1);
	assert_int_equal(b->counters.items[2].leader, 1);
	assert_true(count_of(b, 1)->value >= 64);
}

static void a_task_that_has_ended_is_left_out(void **state)
{
	struct bench *b = *state;
	struct child gone = child_new(0);

	*ARRAY_ADD(&b->tasks) = (struct target_task){ .tid = gone.pid };
	child_done(&gone);
	add_switches(&b->events);
	add_faults(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[1].fds[1], -1);
	assert_true(b->counters.items[1].counts[0].value >= 64);
	assert_int_equal(b->counters.items[1].counts[1].value, 0);
	assert_int_equal(b->counters.items[1].counts[1].enabled, 0);
}

static void when_all_have_ended_there_is_nothing_to_count(void **state)
{
	struct bench *b = *state;

	child_done(&b->child);
	b->child.pid = 0;
	b->open_files -= 2;
	add_faults(&b->events);
	assert_int_equal(try_open(b), -ESRCH);
	assert_non_null(b->diag.message);
}

static void one_event_is_switched_by_its_name(void **state)
{
	struct bench *b = *state;

	add_faults(&b->events);
	add_task_clock(&b->events);
	must_open(b);

	/* An ordinary user has "page-faults:u". */
	const char *name = b->events.items[0]->name;

	assert_int_equal(counters_switch(&b->counters, name, true), 0);
	child_work(&b->child);
	assert_int_equal(counters_switch(&b->counters, name, false), 0);
	assert_int_equal(counters_switch(&b->counters, "unicorns", true), -ENOENT);
	assert_int_equal(counters_read(&b->counters), 0);
	assert_true(count_of(b, 0)->value >= 64);
	assert_int_equal(count_of(b, 1)->value, 0);
}

static void what_exec_starts_is_left_alone_by_begin(void **state)
{
	struct bench *b = *state;
	const struct counters_request rq = {
		.events = &b->events,
		.tasks = &b->tasks,
		.cpus = &b->cpus,
		.enable_on_exec = true,
	};

	need_events();
	add_faults(&b->events);
	assert_int_equal(counters_open(&rq, &b->counters, &b->diag), 0);
	assert_int_equal(b->events.items[0]->attr.enable_on_exec, 1);
	assert_int_equal(b->events.items[0]->attr.inherit, 0);
	count_some_work(b);
	assert_int_equal(count_of(b, 0)->value, 0);
	counters_enable(&b->counters);
	child_work(&b->child);
	counters_disable(&b->counters);
	assert_int_equal(counters_read(&b->counters), 0);
	assert_true(count_of(b, 0)->value >= 64);
}

static void a_filter_that_the_kernel_refuses_is_told(void **state)
{
	struct bench *b = *state;

	add_faults(&b->events)->filter = xstrdup("nr == 1");
	assert_true(try_open(b) < 0);
	assert_non_null(strstr(b->diag.message, "nr == 1"));
}

static void the_limit_of_descriptors_is_raised(void **state)
{
	struct bench *b = *state;
	struct rlimit before;
	int next = dup(0);

	close(next);
	need_events();
	getrlimit(RLIMIT_NOFILE, &before);
	if (before.rlim_max < (rlim_t)next + 100)
		skip();
	for (int i = 0; i < 50; i++)
		add_faults(&b->events);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)next + 10, before.rlim_max });
	must_open(b);
	setrlimit(RLIMIT_NOFILE, &before);
	count_some_work(b);
	for (size_t i = 0; i < 50; i++)
		assert_true(count_of(b, i)->value >= 64);
}

/* In a child, as a hard limit cannot be raised again. */
static void too_low_a_hard_limit_is_told(void **state)
{
	struct bench *b = *state;
	int next = dup(0), status;

	close(next);
	need_events();

	pid_t pid = fork();

	if (pid == 0) {
		const struct counters_request rq = { .events = &b->events,
						     .tasks = &b->tasks,
						     .cpus = &b->cpus };
		rlim_t limit = (rlim_t)next + 10;

		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ limit, limit });
		for (int i = 0; i < 50; i++)
			add_faults(&b->events);
		if (counters_open(&rq, &b->counters, &b->diag) != -EMFILE)
			_exit(1);
		_exit(strstr(b->diag.message, "too many open files") ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void on_cpus(struct bench *b)
{
	if (geteuid() != 0 && perf_event_paranoid() > 0)
		skip();
	task_list_done(&b->tasks);
	assert_int_equal(topology_online(SYSTEM_DEVICES, &b->cpus, &b->diag), 0);
}

static void all_cpus_together_see_the_work(void **state)
{
	struct bench *b = *state;
	uint64_t clock = 0, faults = 0;

	on_cpus(b);
	event_add(&b->events, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_faults(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[0].n_cpus, b->cpus.n);
	for (size_t i = 0; i < b->cpus.n; i++) {
		assert_int_equal(b->counters.items[0].cpus[i], b->cpus.items[i]);
		clock += b->counters.items[0].counts[i].value;
		faults += b->counters.items[1].counts[i].value;
	}
	assert_true(clock > 0);
	assert_true(faults >= 64);
}

static void an_uncore_event_is_opened_on_the_cpus_of_its_mask(void **state)
{
	struct bench *b = *state;
	unsigned first = 0, none = 4095;
	struct pmu pmu = { .has_cpus = true, .cpus = { .items = &first, .n = 1 } };
	struct pmu elsewhere = { .has_cpus = true, .cpus = { .items = &none, .n = 1 } };

	on_cpus(b);
	add_faults(&b->events)->pmu = &pmu;
	add_faults(&b->events)->pmu = &elsewhere;
	add_faults(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->counters.items[0].n_cpus, 1);
	assert_int_equal(b->counters.items[0].cpus[0], 0);
	assert_int_equal(b->counters.items[1].n_cpus, 0);
	/* What counts elsewhere cannot be in its group. */
	assert_int_equal(b->counters.items[1].leader, 1);
	assert_int_equal(b->counters.items[2].leader, b->cpus.n == 1 ? 0 : 2);
}

#define on_bench(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_bench(a_task_is_counted_from_begin_to_end),
		on_bench(what_comes_after_the_end_is_not_counted),
		on_bench(a_group_is_counted_together),
		on_bench(the_threads_of_a_process_add_up),
		on_bench(an_event_that_nobody_has_is_marked_and_the_others_count),
		on_bench(a_member_that_nobody_has_does_not_spoil_its_group),
		on_bench(a_group_without_its_leader_is_not_counted),
		on_bench(a_weak_group_without_its_leader_is_taken_apart),
		on_bench(a_weak_group_that_does_not_fit_is_taken_apart),
		on_bench(perfs_own_events_take_no_part_in_a_group),
		on_bench(a_task_that_has_ended_is_left_out),
		on_bench(when_all_have_ended_there_is_nothing_to_count),
		on_bench(one_event_is_switched_by_its_name),
		on_bench(what_exec_starts_is_left_alone_by_begin),
		on_bench(a_filter_that_the_kernel_refuses_is_told),
		on_bench(the_limit_of_descriptors_is_raised),
		on_bench(too_low_a_hard_limit_is_told),
		on_bench(all_cpus_together_see_the_work),
		on_bench(an_uncore_event_is_opened_on_the_cpus_of_its_mask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
