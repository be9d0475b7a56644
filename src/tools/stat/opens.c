/* SPDX-License-Identifier: MIT */
#include "tools/stat/opens.h"

#include "capture/opened-events.h"
#include "capture/task-list.h"
#include "event/event.h"
#include "kernel/perf-event.h"
#include "view/attr-text.h"
#include "wire/abi.h"

/* One open: the event @i on its CPU number @cpu for task number @task. */
static void print_open(const struct opened_events *es, const struct task_list *tasks, size_t i,
		       size_t cpu, size_t task, FILE *out)
{
	const struct opened_event *e = &es->items[i], *leader = &es->items[e->leader];
	size_t place = cpu * e->n_tasks + task;
	bool of_task = tasks->n && task < tasks->n && e->cpus[cpu] < 0;
	struct attr attr = e->event->attr;
	int pid = e->cgroup_fd >= 0 ? e->cgroup_fd : of_task ? (int)tasks->items[task].tid : -1;
	int group = leader == e ? -1 : opened_event_fd(leader, e->cpus[cpu], task);
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (e->cgroup_fd >= 0)
		flags |= PERF_FLAG_PID_CGROUP;
	attr.size = perf_event_attr_size(&attr);
	attr_print_lines(&attr, out);
	fprintf(out, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", pid,
		e->cpus[cpu], group, flags);
	if (e->fds[place] >= 0)
		fprintf(out, " = %d\n", e->fds[place]);
	else
		fprintf(out, "\nsys_perf_event_open failed, error %d\n", e->error);
}

static bool is_opened(const struct opened_event *e)
{
	return e->state == OPENED || e->state == OPENED_UNSUPPORTED;
}

/* CPU by CPU, and on each all events. */
void stat_opens_print(const struct opened_events *es, const struct task_list *tasks, FILE *out)
{
	size_t most = 0;

	for (size_t i = 0; i < es->n; i++)
		most = es->items[i].n_cpus > most ? es->items[i].n_cpus : most;
	for (size_t cpu = 0; cpu < most; cpu++)
		for (size_t i = 0; i < es->n; i++)
			for (size_t task = 0;
			     is_opened(&es->items[i]) && cpu < es->items[i].n_cpus &&
			     task < es->items[i].n_tasks;
			     task++)
				print_open(es, tasks, i, cpu, task, out);
}
