/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events opened in the kernel: on CPUs, on threads or in cgroups, to count or to sample.
 *
 * Each event has one descriptor for each place: a CPU (or any, -1) times a task (or any, -1).
 * Members of a group are opened at the places of their leader. The events are borrowed; where the
 * kernel refuses one as it is, its attr is adapted (capture/fallback.h).
 *
 * Reading counts is for capture/counters.h, mapping ring buffers for capture/record-rings.h.
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

/* Why an event has no descriptors. */
enum opened_state {
	OPENED,
	OPENED_UNSUPPORTED, /* the kernel or the hardware cannot count it */
	OPENED_TOOL,        /* counted by perf itself (duration_time) */
	OPENED_OUTSIDE,     /* counted by others: struct outside_counter */
};

struct opened_event {
	struct event *event;
	enum opened_state state;
	int error;     /* of the open that decided the state */
	int cgroup_fd; /* -1: none */
	size_t leader; /* index of the leader; its own if it leads or stands alone */
	size_t n_cpus, n_tasks;
	int *cpus;            /* -1: whichever the task runs on */
	int *fds;             /* by place, [cpu * n_tasks + task]; -1: not open */
	uint64_t *ids;        /* by place, 0: not open; NULL: not asked for */
	struct count *counts; /* by place, of the last counters_read(); NULL if it samples */
};

/* Who counts the events of state OPENED_OUTSIDE. All return 0 or a negative errno. */
struct outside_counter {
	int (*enable)(void *arg, bool on);
	int (*read)(void *arg, struct opened_events *es); /* fills their counts */
	void *arg;
};

struct opened_events {
	struct opened_event *items;
	size_t n, room;
	struct fallback fallback;       /* what was given up for all of them */
	struct outside_counter outside; /* set by the caller; or all NULL */
};

/* What to open and where. */
struct open_request {
	struct event_list *events;
	enum event_use use;
	const struct task_list *tasks; /* empty: whole CPUs */
	const struct cpu_list *cpus; /* online, or those asked for; with tasks: for uncore events */
	const int *cgroup_fds;       /* one for each event, -1 for none; or NULL */
	const bool *outside;         /* events that others count; or NULL: none */
	bool any_cpu;                /* tasks wherever they run, rather than on each CPU */
	/* Of counting; when sampling, the attrs say it. */
	bool inherit;
	bool enable_on_exec; /* the tasks are a child that has not yet called exec */
};

/*
 * Opens everything, with filters. A task that is gone is left out; a weak group that does not fit
 * the counters is broken up; the limit of descriptors is raised if need be.
 *
 * To count: attrs are completed, so that events are stopped and can be read. What cannot be counted
 * here is marked and is no error, nor are the members of a group whose leader cannot; members that
 * count at other places than their leader stand alone.
 *
 * To sample: attrs are opened as they are, and ids are found. Cycles become the CPU clock where
 * there are no counters.
 *
 * -ESRCH (all tasks are gone), -EACCES, -EMFILE, ... with @diag saying what to do. *@ret is to be
 * released with opened_events_close() in any case.
 */
int opened_events_open(const struct open_request *rq, struct opened_events *ret, struct diag *diag);
void opened_events_close(struct opened_events *es);

/* The number of places of @e, and the CPU (-1: any) and the number of the task of one of them. */
size_t opened_event_places(const struct opened_event *e);
int opened_event_cpu(const struct opened_event *e, size_t place);
size_t opened_event_task(const struct opened_event *e, size_t place);

/* The descriptor of @e on @cpu (-1: any) for task number @task, or -1 if it is not open there. */
int opened_event_fd(const struct opened_event *e, int cpu, size_t task);

/* The events of one group stand together: where the group of event @i ends. */
size_t opened_events_group_end(const struct opened_events *es, size_t i);

/* Closes the descriptors of @e alone. */
void opened_event_close(struct opened_event *e);

/* Asks the kernel for the ids by which records name the descriptors. Errors with @diag set. */
int opened_events_find_ids(struct opened_events *es, struct diag *diag);

/* Starts those that neither run already nor start by the workload's exec. */
int opened_events_begin(struct opened_events *es);

/* Starts or stops all of them. */
int opened_events_enable(struct opened_events *es);
int opened_events_disable(struct opened_events *es);

/* Starts or stops the events called @name. -ENOENT: there is none. */
int opened_events_switch(struct opened_events *es, const char *name, bool on);

/* Calls @each for every descriptor that is open. */
void opened_events_for_each(const struct opened_events *es,
			    void (*each)(void *arg, const struct opened_event *event, size_t place),
			    void *arg);
