/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events opened for recording: on CPUs, on threads or in cgroups.
 *
 * Each event has one descriptor for each place: a CPU (or any, -1) times a task (or any, -1). The
 * events are borrowed; where the kernel refuses one as it is, its attr gives in, as Linux's perf
 * does: precision, what this kernel is too old for, kernel mode for ordinary users, and at last the
 * CPU clock for cycles. What was given up is told, so that users can be.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "capture/task-list.h"

struct diag;
struct event;
struct event_list;

struct record_event {
	struct event *event;
	int cgroup_fd; /* -1: none */
	size_t n_cpus, n_tasks;
	int *cpus;     /* -1: whichever the task runs on */
	int *fds;      /* [cpu * n_tasks + task]; -1: not open */
	uint64_t *ids; /* the same index; 0: not open */
};

struct record_events {
	struct record_event *items;
	size_t n, room;
	bool without_pmu;    /* cycles were replaced by the CPU clock */
	bool without_kernel; /* an ordinary user gets user mode only */
	unsigned lacks;      /* what this kernel is too old for; see record-events.c */
};

struct record_request {
	struct event_list *events;
	const struct task_list *tasks; /* empty: whole CPUs */
	const struct cpu_list *cpus;   /* online, or those asked for */
	const int *cgroup_fds;         /* one for each event, -1 for none; or NULL */
	bool per_thread;               /* tasks wherever they run, not on each CPU */
};

/*
 * Opens everything, with filters, and finds out the ids. A task that is gone is left out; the limit
 * of descriptors is raised if need be. -ESRCH (all are gone), -EACCES, -EMFILE, ... with @diag
 * saying what to do. *@ret is to be released with record_events_close() in any case.
 */
int record_events_open(const struct record_request *rq, struct record_events *ret,
		       struct diag *diag);
void record_events_close(struct record_events *e);

/* Starts those that neither run already nor start by an exec. */
int record_events_begin(struct record_events *e);

/* Starts or stops all of them. */
int record_events_enable(struct record_events *e);
int record_events_disable(struct record_events *e);

/* Starts or stops the events called @name. -ENOENT: there is none. */
int record_events_switch(struct record_events *e, const char *name, bool on);

/* Calls @each for every descriptor that is open. */
void record_events_for_each(const struct record_events *e,
			    void (*each)(void *arg, const struct record_event *event, size_t place),
			    void *arg);

/*
 * How many samples of @e the kernel had to drop at @place, by its own count (read_format LOST,
 * since 6.0). 0 where it does not tell.
 */
uint64_t record_event_lost(const struct record_event *e, size_t place);
