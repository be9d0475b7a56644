/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks whose calls are watched: their names, and what their descriptors stand for.
 *
 * What the events tell comes first: a file that was opened while we looked, a name that was given
 * by exec. What was there before is asked of /proc, once, if the trace is live.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct trace_tasks;

struct trace_task {
	uint32_t pid, tid;
	const char *comm; /* "" if it is not known */
	uint64_t cgroup;
	uint64_t n_events;   /* of any kind */
	uint64_t runtime_ns; /* with --sched */
	/* private: of the model */
	void *open_call;
	void *files;
};

struct trace_tasks *trace_tasks_new(bool asks_proc);
void trace_tasks_free(struct trace_tasks *t);
DEFINE_FREEP(trace_tasks)

/* The task @tid of @pid, which is made if it was not there. @pid 0: not known. */
struct trace_task *trace_tasks_get(struct trace_tasks *t, uint32_t pid, uint32_t tid);

/* The name of a task that may have ended; NULL: never seen. */
const char *trace_tasks_comm(struct trace_tasks *t, uint32_t tid);

/* What @fd of the task's process stands for, as /proc has it; NULL: not known. */
const char *trace_task_file(struct trace_tasks *t, struct trace_task *task, int32_t fd);

/* All tasks in order of their ids, those that have ended included. */
int trace_tasks_each(struct trace_tasks *t, int (*take)(void *arg, struct trace_task *task),
		     void *arg);
