/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/events.h"
#include "capture/record-events.h"

/* Events on this process, in user mode, which anybody may record. */
struct opened {
	struct event_list l;
	struct target_task task;
	struct task_list tasks;
	unsigned cpu;
	struct cpu_list cpus;
	struct record_events events;
	struct diag diag;
};

static void done(struct opened *o)
{
	record_events_close(&o->events);
	event_list_done(&o->l);
	diag_done(&o->diag);
}

static struct event *add(struct opened *o, const char *name, uint32_t type, uint64_t config)
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

static int open_on(struct opened *o, pid_t tid)
{
	o->task.tid = tid;
	o->tasks = (struct task_list){ &o->task, 1, 0 };
	o->cpus = (struct cpu_list){ &o->cpu, 1, 0 };

	const struct record_request rq = {
		.events = &o->l, .tasks = &o->tasks, .cpus = &o->cpus, .per_thread = true
	};

	return record_events_open(&rq, &o->events, &o->diag);
}

/* Containers may forbid all of it. */
static void open_here(struct opened *o)
{
	int r = open_on(o, getpid());

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip();
	assert_int_equal(r, 0);
}

static void an_event_has_an_id_where_it_is_open(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };

	add(&o, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(&o, "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	assert_int_equal(o.events.n, 2);
	assert_int_equal(o.events.items[0].cpus[0], -1);
	assert_true(o.events.items[0].ids[0] > 0);
	assert_int_not_equal(o.events.items[0].ids[0], o.events.items[1].ids[0]);
	assert_int_equal(record_event_lost(&o.events.items[0], 0), 0);
}

static void cycles_become_time_where_there_are_no_counters(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };
	struct event *e = add(&o, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	e->attr.precise_ip = 3;
	e->modifiers.max_precise = true;
	open_here(&o);
	if (!o.events.without_pmu)
		skip();
	assert_int_equal(e->attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(e->attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(e->attr.precise_ip, 3);
	assert_string_equal(e->name, "cpu-clock:upppH");
}

static void another_event_of_the_hardware_has_no_substitute(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };

	add(&o, "nothing", 0x7fffffff, 0);

	int r = open_on(&o, getpid());

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip();
	assert_true(r < 0);
	assert_non_null(o.diag.message);
	/* What was given up in vain is as it was. */
	assert_int_equal(o.l.items[0]->attr.read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
}

static void a_task_that_is_gone_is_said(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	add(&o, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(open_on(&o, pid), -ESRCH);
	assert_string_equal(o.diag.message, "the tasks to be recorded are gone");
}

static void a_weak_group_falls_apart_where_it_must(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };
	struct event *leader = add(&o, "a", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct event *member = add(&o, "b", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);

	leader->modifiers.weak_group = true;
	member->leader = 0;
	member->attr.disabled = 0;
	member->attr.pinned = 1; /* only a leader may be */
	open_here(&o);
	assert_int_equal(member->leader, 1);
	assert_int_equal(member->attr.disabled, 1);
}

static void events_are_switched_by_name(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };

	add(&o, "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	assert_int_equal(record_events_switch(&o.events, "faults", true), 0);
	assert_int_equal(record_events_switch(&o.events, "nothing", true), -ENOENT);
	assert_int_equal(record_events_enable(&o.events), 0);
	assert_int_equal(record_events_disable(&o.events), 0);
	assert_int_equal(record_events_begin(&o.events), 0);
}

static void count_place(void *arg, const struct record_event *e, size_t place)
{
	(void)e;
	(void)place;
	(*(size_t *)arg)++;
}

static void every_descriptor_is_visited(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = { 0 };
	size_t n = 0;

	add(&o, "a", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(&o, "b", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	open_here(&o);
	record_events_for_each(&o.events, count_place, &n);
	assert_int_equal(n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_has_an_id_where_it_is_open),
		cmocka_unit_test(cycles_become_time_where_there_are_no_counters),
		cmocka_unit_test(another_event_of_the_hardware_has_no_substitute),
		cmocka_unit_test(a_task_that_is_gone_is_said),
		cmocka_unit_test(a_weak_group_falls_apart_where_it_must),
		cmocka_unit_test(events_are_switched_by_name),
		cmocka_unit_test(every_descriptor_is_visited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
