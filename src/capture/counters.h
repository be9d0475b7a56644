/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events opened for counting: on CPUs, on threads or in cgroups.
 *
 * Each event is a counter with one descriptor for each place it counts at: a CPU (or any, -1) times
 * a task (or any, -1). Members of a group are opened at the places of their leader, and a group is
 * read with one call. The events are borrowed and their attrs adapted to what the kernel accepts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cpu-list.h"
#include "capture/task-list.h"
#include "wire/count.h"

struct diag;
struct event;
struct event_list;

/* Why a counter has no counts. */
enum counter_state {
	COUNTER_OPEN,
	COUNTER_UNSUPPORTED, /* the kernel or the hardware has no such event */
	COUNTER_ABSENT,      /* counted by perf itself (duration_time) */
};

struct counter {
	struct event *event;
	enum counter_state state;
	int error;     /* of the open that decided the state */
	int cgroup_fd; /* -1: none */
	size_t n_cpus, n_tasks;
	int *cpus;            /* -1: whichever the task runs on */
	int *fds;             /* [cpu * n_tasks + task]; -1: not open */
	struct count *counts; /* the same index; of the last counters_read() */
	size_t leader; /* index of the leader's counter; its own if it leads or stands alone */
};

struct counters {
	struct counter *items;
	size_t n, room;
};

/* What to open and where. */
struct counters_request {
	struct event_list *events;
	const struct task_list *tasks; /* empty: whole CPUs */
	const struct cpu_list *cpus; /* online, or those asked for; with tasks: for uncore events */
	const int *cgroup_fds;       /* one for each event, -1 for none; or NULL */
	bool inherit;
	bool enable_on_exec; /* the tasks are a child that has not yet called exec */
};

/*
 * Opens everything, stopped. An event that cannot be counted here is marked and is no error, nor
 * are those of its group if it leads it; a weak group that does not fit is taken apart; a task that
 * is gone is left out; the limit of descriptors is raised if need be. -ESRCH (all are gone),
 * -EACCES, -EMFILE, ... with @diag saying what to do.
 * *@ret is to be released with counters_close() in any case.
 */
int counters_open(const struct counters_request *rq, struct counters *ret, struct diag *diag);
void counters_close(struct counters *c);

/*
 * Starts those that the workload's exec does not start by itself, and stops them again before the
 * last read, so that all have counted for the same time.
 */
int counters_begin(struct counters *c);
int counters_end(struct counters *c);

/* Starts or stops all of them. */
int counters_enable(struct counters *c);
int counters_disable(struct counters *c);

/* Starts or stops the events called @name. -ENOENT: there is none. */
int counters_switch(struct counters *c, const char *name, bool on);

/* Reads all counts, groups at once. A negative errno if a descriptor cannot be read. */
int counters_read(struct counters *c);
