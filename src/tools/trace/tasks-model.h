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

struct trace_call;
struct trace_tasks;

/*
 * A task that has ended stays until this many others have ended after it: its name may still be
 * asked for. The pointer to a task is valid so long.
 */
#define TRACE_TASKS_ENDED_MAX 4096

struct trace_task {
	uint32_t pid, tid;
	const char *comm; /* "" if it is not known */
	uint64_t cgroup;
	uint64_t n_events;   /* of any kind */
	uint64_t runtime_ns; /* with --sched */
	bool has_ended;
	void *open_call; /* of the model: the call it is in, if that began while we looked */
};

struct trace_tasks *trace_tasks_new(bool asks_proc);
void trace_tasks_free(struct trace_tasks *t);
DEFINE_FREEP(trace_tasks)

/* Tasks that have ended stay for ever: a summary tells of them, too. */
void trace_tasks_keep_ended(struct trace_tasks *t);

/*
 * Not all calls are told, so descriptors change without notice: what /proc said holds only for a
 * moment, and not for forked processes.
 */
void trace_tasks_expect_gaps(struct trace_tasks *t);

/* The task @tid of @pid, which is made if it was not there. @pid 0: not known. */
struct trace_task *trace_tasks_get(struct trace_tasks *t, uint32_t pid, uint32_t tid);

/* The name of a task that may have ended; NULL: never seen. */
const char *trace_tasks_comm(struct trace_tasks *t, uint32_t tid);

/* What @fd of the task's process stands for, as /proc has it; NULL: not known. */
const char *trace_task_file(struct trace_tasks *t, struct trace_task *task, int32_t fd);

/* How often the path of a descriptor was told by the kernel, and asked of /proc. */
struct trace_tasks_counts {
	uint64_t told, asked;
};

struct trace_tasks_counts trace_tasks_counts(const struct trace_tasks *t);

/* All tasks in order of their ids, those that have ended and are still there included. */
int trace_tasks_each(struct trace_tasks *t, int (*take)(void *arg, struct trace_task *task),
		     void *arg);

/*
 * What the model tells the tasks, in order of time. @task is never freed while it is pinned.
 */
struct trace_task *trace_tasks_named(struct trace_tasks *t, uint32_t pid, uint32_t tid,
				     const char *comm);
struct trace_task *trace_tasks_forked(struct trace_tasks *t, uint32_t pid, uint32_t tid,
				      uint32_t parent_tid);
void trace_tasks_ended(struct trace_tasks *t, struct trace_task *task);
void trace_tasks_revive(struct trace_tasks *t, struct trace_task *task); /* it has not ended */
void trace_task_pin(struct trace_task *task);
void trace_task_unpin(struct trace_task *task);

/* The descriptor @fd of the task's process stands for @path. */
void trace_task_opened(struct trace_tasks *t, struct trace_task *task, int32_t fd, const char *path,
		       uint64_t time_ns);

/* A call has ended: what it says about descriptors is taken note of. */
void trace_task_called(struct trace_tasks *t, struct trace_task *task, const struct trace_call *c);
