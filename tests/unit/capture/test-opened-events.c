/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "counting.h"
#include "kernel/pmu.h"
#include "skip.h"

static void an_event_that_nobody_has_is_marked_and_the_others_count(void **state)
{
	struct bench *b = *state;

	add_unsupported(&b->events);
	add_faults(&b->events);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->opened.items[0].state, OPENED_UNSUPPORTED);
	assert_int_equal(b->opened.items[0].error, -ENOENT);
	assert_int_equal(b->opened.items[1].state, OPENED);
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
	assert_int_equal(b->opened.items[1].state, OPENED_UNSUPPORTED);
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
	assert_int_equal(b->opened.items[0].state, OPENED_UNSUPPORTED);
	assert_int_equal(b->opened.items[1].state, OPENED_UNSUPPORTED);
	assert_int_equal(b->opened.items[1].error, -ENOENT);
	assert_int_equal(b->opened.items[2].state, OPENED);
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
	assert_int_equal(b->opened.items[0].state, OPENED_UNSUPPORTED);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(b->opened.items[i].state, OPENED);
		assert_int_equal(b->opened.items[i].leader, i);
		assert_int_equal(b->events.items[i]->attr.disabled, 1);
		assert_int_equal(b->events.items[i]->attr.read_format, 3);
	}
	assert_true(count_of(b, 1)->value >= 64);
}

/* One event is a breakpoint on nothing: the kernel knows breakpoints, but refuses this one. */
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
	assert_int_equal(b->opened.items[2].error, -EINVAL);
	/* A second try does not make the name end in ":uu". */
	assert_null(strstr(b->events.items[2]->name, "uu"));
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(b->opened.items[i].leader, i);
		assert_int_equal(b->opened.items[i].state, i == 2 ? OPENED_UNSUPPORTED : OPENED);
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
	assert_int_equal(b->opened.items[0].state, OPENED_TOOL);
	assert_int_equal(b->opened.items[1].leader, 1);
	assert_int_equal(b->opened.items[2].leader, 1);
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
	assert_int_equal(b->opened.items[1].fds[1], -1);
	assert_true(b->opened.items[1].counts[0].value >= 64);
	assert_int_equal(b->opened.items[1].counts[1].value, 0);
	assert_int_equal(b->opened.items[1].counts[1].enabled, 0);
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

	/* For an ordinary user the name is "page-faults:u". */
	const char *name = b->events.items[0]->name;

	assert_int_equal(opened_events_switch(&b->opened, name, true), 0);
	child_work(&b->child);
	assert_int_equal(opened_events_switch(&b->opened, name, false), 0);
	assert_int_equal(opened_events_switch(&b->opened, "unicorns", true), -ENOENT);
	assert_int_equal(counters_read(&b->opened), 0);
	assert_true(count_of(b, 0)->value >= 64);
	assert_int_equal(count_of(b, 1)->value, 0);
}

static void what_exec_starts_is_left_alone_by_begin(void **state)
{
	struct bench *b = *state;
	const struct open_request rq = {
		.events = &b->events,
		.tasks = &b->tasks,
		.cpus = &b->cpus,
		.any_cpu = true,
		.enable_on_exec = true,
	};

	need_events();
	add_faults(&b->events);
	assert_int_equal(opened_events_open(&rq, &b->opened, &b->diag), 0);
	assert_int_equal(b->events.items[0]->attr.enable_on_exec, 1);
	assert_int_equal(b->events.items[0]->attr.inherit, 0);
	count_some_work(b);
	assert_int_equal(count_of(b, 0)->value, 0);
	opened_events_enable(&b->opened);
	child_work(&b->child);
	opened_events_disable(&b->opened);
	assert_int_equal(counters_read(&b->opened), 0);
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
		skip_because("the limit of open files is too low");
	for (int i = 0; i < 50; i++)
		add_faults(&b->events);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)next + 10, before.rlim_max });
	must_open(b);
	setrlimit(RLIMIT_NOFILE, &before);
	count_some_work(b);
	for (size_t i = 0; i < 50; i++)
		assert_true(count_of(b, i)->value >= 64);
}

/* Runs in a child, because a hard limit cannot be raised again. */
static void too_low_a_hard_limit_is_told(void **state)
{
	struct bench *b = *state;
	int next = dup(0), status;

	close(next);
	need_events();

	pid_t pid = fork();

	if (pid == 0) {
		const struct open_request rq = {
			.events = &b->events, .tasks = &b->tasks, .cpus = &b->cpus, .any_cpu = true
		};
		rlim_t limit = (rlim_t)next + 10;

		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ limit, limit });
		for (int i = 0; i < 50; i++)
			add_faults(&b->events);
		if (opened_events_open(&rq, &b->opened, &b->diag) != -EMFILE)
			_exit(1);
		_exit(strstr(b->diag.message, "too many open files") ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
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
	assert_int_equal(b->opened.items[0].n_cpus, 1);
	assert_int_equal(b->opened.items[0].cpus[0], 0);
	assert_int_equal(b->opened.items[1].n_cpus, 0);
	/* An event that counts elsewhere cannot be in its group. */
	assert_int_equal(b->opened.items[1].leader, 1);
	assert_int_equal(b->opened.items[2].leader, b->cpus.n == 1 ? 0 : 2);
}

/* Events on this process in user mode, which every user may record. */
struct sampled {
	struct event_list l;
	struct target_task task;
	struct task_list tasks;
	unsigned cpu;
	struct cpu_list cpus;
	struct opened_events events;
	struct diag diag;
};

static void done(struct sampled *o)
{
	opened_events_close(&o->events);
	event_list_done(&o->l);
	diag_done(&o->diag);
}

static struct event *add(struct sampled *o, const char *name, uint32_t type, uint64_t config)
{
	struct event *e = event_add(&o->l, name, type, config);

	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = 1;
	e->attr.disabled = 1;
	e->attr.sample_period = 1000;
	e->attr.sample_type = PERF_SAMPLE_IP;
	e->attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	return e;
}

static int open_on(struct sampled *o, pid_t tid)
{
	o->task.tid = tid;
	o->tasks = (struct task_list){ &o->task, 1, 0 };
	o->cpus = (struct cpu_list){ &o->cpu, 1, 0 };

	const struct open_request rq = {
		.events = &o->l,
		.use = EVENT_USE_SAMPLING,
		.tasks = &o->tasks,
		.cpus = &o->cpus,
		.any_cpu = true,
	};

	return opened_events_open(&rq, &o->events, &o->diag);
}

/* Opens the events, and skips the test where a container forbids them. */
static void open_here(struct sampled *o)
{
	int r = open_on(o, getpid());

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip_because("events cannot be opened here");
	assert_int_equal(r, 0);
}

static void an_event_has_an_id_where_it_is_open(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };

	add(&o, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(&o, "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	assert_int_equal(o.events.n, 2);
	assert_int_equal(o.events.items[0].cpus[0], -1);
	assert_true(o.events.items[0].ids[0] > 0);
	assert_int_not_equal(o.events.items[0].ids[0], o.events.items[1].ids[0]);
}

static void cycles_become_time_where_there_are_no_counters(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };
	struct event *e = add(&o, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	e->attr.precise_ip = 3;
	e->modifiers.max_precise = true;
	open_here(&o);
	if (!o.events.fallback.without_pmu) {
		print_message("# there are counters\n");
		skip();
	}
	assert_int_equal(e->attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(e->attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(e->attr.precise_ip, 3);
	assert_string_equal(e->name, "cpu-clock:upppH");
}

static void another_event_of_the_hardware_has_no_substitute(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };

	add(&o, "nothing", 0x7fffffff, 0);

	int r = open_on(&o, getpid());

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip_because("events cannot be opened here");
	assert_true(r < 0);
	assert_non_null(o.diag.message);
	/* A bit that was given up in vain is set again. */
	assert_int_equal(o.l.items[0]->attr.read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
}

static void a_task_that_is_gone_is_said(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	add(&o, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(open_on(&o, pid), -ESRCH);
	assert_string_equal(o.diag.message, "the tasks to be recorded have ended");
}

static void a_weak_group_falls_apart_where_it_must(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };
	struct event *leader = add(&o, "a", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct event *member = add(&o, "b", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);

	leader->modifiers.weak_group = true;
	member->leader = 0;
	member->attr.disabled = 0;
	member->attr.pinned = 1; /* only a leader may be */
	open_here(&o);
	assert_int_equal(o.events.items[1].leader, 1);
	assert_int_equal(member->attr.disabled, 1);
}

static void a_descriptor_is_found_by_cpu_and_task(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };

	add(&o, "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	assert_int_equal(opened_event_fd(&o.events.items[0], -1, 0), o.events.items[0].fds[0]);
	assert_int_equal(opened_event_fd(&o.events.items[0], -1, 1), -1);
	assert_int_equal(opened_event_fd(&o.events.items[0], 0, 0), -1);
}

static void events_are_switched_by_name(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };

	add(&o, "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	assert_int_equal(opened_events_switch(&o.events, "faults", true), 0);
	assert_int_equal(opened_events_switch(&o.events, "nothing", true), -ENOENT);
	assert_int_equal(opened_events_enable(&o.events), 0);
	assert_int_equal(opened_events_disable(&o.events), 0);
	assert_int_equal(opened_events_begin(&o.events), 0);
}

static void count_place(void *arg, const struct opened_event *e, size_t place)
{
	(void)e;
	(void)place;
	(*(size_t *)arg)++;
}

static void every_descriptor_is_visited(void **state)
{
	(void)state;
	_cleanup_(done) struct sampled o = { 0 };
	size_t n = 0;

	add(&o, "a", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(&o, "b", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	opened_events_for_each(&o.events, count_place, &n);
	assert_int_equal(n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		on_bench(an_uncore_event_is_opened_on_the_cpus_of_its_mask),
		cmocka_unit_test(an_event_has_an_id_where_it_is_open),
		cmocka_unit_test(cycles_become_time_where_there_are_no_counters),
		cmocka_unit_test(another_event_of_the_hardware_has_no_substitute),
		cmocka_unit_test(a_task_that_is_gone_is_said),
		cmocka_unit_test(a_weak_group_falls_apart_where_it_must),
		cmocka_unit_test(a_descriptor_is_found_by_cpu_and_task),
		cmocka_unit_test(events_are_switched_by_name),
		cmocka_unit_test(every_descriptor_is_visited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
