/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks whose calls are watched: their names, and the files of their descriptors.
 *
 * Data from events has priority: a file that was opened during the trace, a name that was set by
 * exec. Earlier data is read from /proc, once, if the trace is live.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct trace_call;
struct trace_tasks;

/*
 * The number of ended tasks that are kept. A task that has ended stays until this many others have
 * ended after it, because its name may still be needed. The pointer to it is valid until then.
 */
#define TRACE_TASKS_ENDED_MAX 4096

struct trace_task {
	uint32_t pid, tid;
	const char *comm; /* "" if unknown */
	uint64_t cgroup;
	uint64_t n_events;   /* events of any kind */
	uint64_t runtime_ns; /* with --sched */
	bool has_ended;
	void *open_call; /* for the model: its open call, if that began during the trace */
};

struct trace_tasks *trace_tasks_new(bool asks_proc);
void trace_tasks_free(struct trace_tasks *t);
DEFINE_FREEP(trace_tasks)

/* Keeps all tasks that have ended, for a summary that includes them. */
void trace_tasks_keep_ended(struct trace_tasks *t);

/*
 * Not all calls are reported, so descriptors change without notice. An answer of /proc is then
 * valid only for a moment, and not for forked processes.
 */
void trace_tasks_expect_gaps(struct trace_tasks *t);

/* Returns the task @tid of @pid, which is made if it does not exist. @pid 0: unknown. */
struct trace_task *trace_tasks_get(struct trace_tasks *t, uint32_t pid, uint32_t tid);

/* Returns the name of a task that may have ended; NULL: never seen. */
const char *trace_tasks_comm(struct trace_tasks *t, uint32_t tid);

/* Returns the file of @fd of the task's process, as in /proc; NULL: unknown. */
const char *trace_task_file(struct trace_tasks *t, struct trace_task *task, int32_t fd);

/*
 * The number of times that the path of a descriptor was reported by the kernel, and read from
 * /proc.
 */
struct trace_tasks_counts {
	uint64_t told, asked;
};

struct trace_tasks_counts trace_tasks_counts(const struct trace_tasks *t);

/*
 * Calls @take for all tasks in order of their ids, including those that have ended and are still
 * kept.
 */
int trace_tasks_each(struct trace_tasks *t, int (*take)(void *arg, struct trace_task *task),
		     void *arg);

/* The model calls these functions in order of time. @task is never freed while it is pinned. */
struct trace_task *trace_tasks_named(struct trace_tasks *t, uint32_t pid, uint32_t tid,
				     const char *comm);
struct trace_task *trace_tasks_forked(struct trace_tasks *t, uint32_t pid, uint32_t tid,
				      uint32_t parent_tid);
void trace_tasks_ended(struct trace_tasks *t, struct trace_task *task);
/* Undoes trace_tasks_ended(). */
void trace_tasks_revive(struct trace_tasks *t, struct trace_task *task);
void trace_task_pin(struct trace_task *task);
void trace_task_unpin(struct trace_task *task);

/* Notes that the descriptor @fd of the task's process stands for @path. */
void trace_task_opened(struct trace_tasks *t, struct trace_task *task, int32_t fd, const char *path,
		       uint64_t time_ns);

/* Applies the effects on descriptors of a call that has ended. */
void trace_task_called(struct trace_tasks *t, struct trace_task *task, const struct trace_call *c);
