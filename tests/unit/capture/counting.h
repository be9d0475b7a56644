/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Software events on a child of the test or on CPUs, opened to count. tear_down() checks that no
 * descriptor is left open.
 */
#include <fcntl.h>

#include "base/diag.h"
#include "capture/counters.h"
#include "events.h"
#include "capture/opened-events.h"
#include "tasks.h"
#include "kernel/topology.h"

struct bench {
	struct event_list events;
	struct task_list tasks;
	struct cpu_list cpus;
	struct opened_events opened;
	struct diag diag;
	struct child child;
	size_t open_files; /* before anything was opened */
};

static inline size_t count_open_files(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static inline int set_up(void **state)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	*state = b;
	b->child = child_new(0);
	b->open_files = count_open_files();
	*ARRAY_ADD(&b->tasks) = (struct target_task){ .tid = b->child.pid };
	return 0;
}

static inline int tear_down(void **state)
{
	struct bench *b = *state;

	opened_events_close(&b->opened);
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

static inline int try_open(struct bench *b)
{
	const struct open_request rq = {
		.events = &b->events,
		.tasks = &b->tasks,
		.cpus = &b->cpus,
		.any_cpu = true,
		.inherit = true,
	};

	need_events();
	return opened_events_open(&rq, &b->opened, &b->diag);
}

static inline void must_open(struct bench *b)
{
	int r = try_open(b);

	if (r < 0)
		fail_msg("%d: %s", r, b->diag.message);
}

static inline void count_some_work(struct bench *b)
{
	assert_int_equal(opened_events_begin(&b->opened), 0);
	child_work(&b->child);
	assert_int_equal(opened_events_disable(&b->opened), 0);
	assert_int_equal(counters_read(&b->opened), 0);
}

static inline const struct count *count_of(const struct bench *b, size_t event)
{
	return &b->opened.items[event].counts[0];
}

static inline void on_cpus(struct bench *b)
{
	if (geteuid() != 0 && perf_event_paranoid() > 0)
		skip();
	task_list_done(&b->tasks);
	assert_int_equal(topology_online(SYSTEM_DEVICES, &b->cpus, &b->diag), 0);
}

#define on_bench(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
