/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events opened in the kernel: on CPUs, on threads or in cgroups, to count or to sample.
 *
 * Each event has one descriptor for each place: a CPU (or any, -1) times a task (or any, -1).
 * Members of a group are opened at the places of their leader. The events are borrowed; if the
 * kernel rejects one as it is, its attr is adapted (capture/fallback.h).
 *
 * capture/counters.h reads counts, capture/record-rings.h maps ring buffers.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "capture/fallback.h"
#include "capture/task-list.h"
#include "event/event.h"
#include "wire/count.h"

struct diag;
struct opened_events;

/* The state of an event: open, or the reason for which it has no descriptors. */
enum opened_state {
	OPENED,
	OPENED_UNSUPPORTED, /* the kernel or the hardware cannot count it */
	OPENED_TOOL,        /* counted by perf itself (duration_time) */
	OPENED_OUTSIDE,     /* counted by other code: struct outside_counter */
};

struct opened_event {
	struct event *event;
	enum opened_state state;
	int error;     /* error of the open that decided the state */
	int cgroup_fd; /* -1: none */
	size_t leader; /* index of the leader; its own if it leads or has no group */
	size_t n_cpus, n_tasks;
	int *cpus;            /* -1: any CPU on which the task runs */
	int *fds;             /* by place, [cpu * n_tasks + task]; -1: not open */
	uint64_t *ids;        /* by place, 0: not open; NULL: not requested */
	struct count *counts; /* by place, from the last counters_read(); NULL if it samples */
};

/* The counter of the events in state OPENED_OUTSIDE. All functions return 0 or a negative errno. */
struct outside_counter {
	int (*enable)(void *arg, bool on);
	int (*read)(void *arg, struct opened_events *es); /* reads the counts of these events */
	void *arg;
};

struct opened_events {
	struct opened_event *items;
	size_t n, room;
	struct fallback fallback;       /* the features that were dropped for all of them */
	struct outside_counter outside; /* set by the caller; or all NULL */
};

/* The events to open, and the places. */
struct open_request {
	struct event_list *events;
	enum event_use use;
	const struct task_list *tasks; /* empty: whole CPUs */
	const struct cpu_list *cpus; /* online, or those requested; with tasks: for uncore events */
	const int *cgroup_fds;       /* one for each event, -1 for none; or NULL */
	const bool *outside;         /* events that other code counts; or NULL: none */
	bool any_cpu;                /* tasks on any CPU, rather than on each CPU separately */
	/* For counting; when sampling, the attrs contain this. */
	bool inherit;
	bool enable_on_exec; /* the tasks are a child that has not yet called exec */
};

/*
 * Opens everything, with filters. A task that has ended is left out; a weak group that does not fit
 * the counters is broken up; the limit of descriptors is raised if necessary.
 *
 * To count: attrs are completed, so that events are stopped and can be read. Events that cannot be
 * counted here are marked, which is no error; so are the members of a group whose leader cannot be
 * counted. Members that count at other places than their leader are opened without a group.
 *
 * To sample: attrs are opened as they are, and ids are found. Cycles become the CPU clock if there
 * are no counters.
 *
 * -ESRCH (all tasks have ended), -EACCES, -EMFILE, ... with @diag explaining what to do. *@ret is
 * to be released with opened_events_close() in any case.
 */
int opened_events_open(const struct open_request *rq, struct opened_events *ret, struct diag *diag);
void opened_events_close(struct opened_events *es);

/*
 * Return the number of places of @e, and the CPU (-1: any) and the number of the task of one of
 * them.
 */
size_t opened_event_places(const struct opened_event *e);
int opened_event_cpu(const struct opened_event *e, size_t place);
size_t opened_event_task(const struct opened_event *e, size_t place);

/*
 * Returns the descriptor of @e on @cpu (-1: any) for task number @task, or -1 if it is not open
 * there.
 */
int opened_event_fd(const struct opened_event *e, int cpu, size_t task);

/* Returns the index at which the group of event @i ends; the events of a group are adjacent. */
size_t opened_events_group_end(const struct opened_events *es, size_t i);

/* Closes the descriptors of @e alone. */
void opened_event_close(struct opened_event *e);

/* Gets the ids by which records name the descriptors from the kernel. Errors with @diag set. */
int opened_events_find_ids(struct opened_events *es, struct diag *diag);

/* Starts those that neither run already nor are started by the workload's exec. */
int opened_events_begin(struct opened_events *es);

/* Start or stop all of them. */
int opened_events_enable(struct opened_events *es);
int opened_events_disable(struct opened_events *es);

/* Starts or stops the events called @name. -ENOENT: there is none. */
int opened_events_switch(struct opened_events *es, const char *name, bool on);

/* Calls @each for every descriptor that is open. */
void opened_events_for_each(const struct opened_events *es,
			    void (*each)(void *arg, const struct opened_event *event, size_t place),
			    void *arg);
