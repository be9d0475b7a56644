/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Follows the tasks on the CPUs, switch by switch: `perf sched map`. Tasks get short names, A0 to
 * Z0, then A1 and so on to Z9, and from the beginning again; idle CPUs have a dot.
 *
 *	sched_map_init(&m, &options);
 *	for each COMM and FORK record, sched_map_rename() and sched_map_forget();
 *	for each switch, in order of time:
 *		n = sched_map_take(&m, &event, lines);
 *		... @m and the lines are shown
 *
 * Memory grows with tasks and CPUs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct sched_event;
struct session;

/* The maximum number of CPUs. No machine has a greater one, and it would make all lines longer. */
#define SCHED_MAP_CPUS_MAX 8192

struct sched_map_options {
	const struct session *session; /* used to look up names */
	/*
	 * Names of tasks, or parts of them (@fuzzy), separated by commas. Only these tasks have
	 * short names, and a line is also shown when they leave. NULL: all tasks.
	 */
	const char *task_names;
	bool fuzzy;
	size_t n_cpus; /* the initial number of columns */
};

/* The sign of tasks that were not requested, and of those that have left. */
#define SCHED_MAP_OTHER '-'

struct sched_map_task {
	int32_t tid, pid; /* pid: of its process, if a record contained it; else 0 */
	char sign[3];     /* "A0", ".", "-"; "": no switch to it was seen yet */
	const char *comm; /* from the session; NULL: not looked up yet */
	bool is_idle;
	bool is_renamed; /* since its name was last shown */
};

struct sched_map_cpu {
	struct sched_map_task *task; /* the task that came last; NULL: none was seen */
	bool is_seen;
};

struct sched_map {
	struct sched_map_options options;
	struct arena arena;
	struct u64_map by_tid;
	struct {
		struct sched_map_cpu *items;
		size_t n, room;
	} cpus; /* one for each column */
	struct {
		unsigned *items;
		size_t n, room;
	} seen; /* CPUs in the order in which they appeared */
	unsigned next_sign;
	uint64_t left_out; /* switches on CPUs with impossible numbers */
};

/* A line to show. The changed CPU has a star. */
struct sched_map_line {
	uint64_t time;
	unsigned cpu;
	bool is_out;                 /* its task left; else a task came */
	bool is_new_cpu;             /* this is the CPU's first switch */
	struct sched_map_task *told; /* the task whose name and sign are shown; NULL: none */
};

void sched_map_init(struct sched_map *m, const struct sched_map_options *o);
void sched_map_done(struct sched_map *m);

/* Takes a SCHED_SWITCH. Returns the number of lines, which depends on the tasks: 0 to 2. */
size_t sched_map_take(struct sched_map *m, const struct sched_event *e,
		      struct sched_map_line lines[2]);

/*
 * Takes a COMM record: @tid of process @pid has a new name, which may be the same. The name is then
 * shown again. As in Linux's perf, the name of the process is also shown again, whichever thread
 * was renamed. @was_before: the name is from before the recording began.
 */
void sched_map_rename(struct sched_map *m, uint32_t pid, uint32_t tid, bool was_before);

/* Takes a FORK record: @tid is a new task of process @pid. */
void sched_map_forget(struct sched_map *m, uint32_t pid, uint32_t tid);
