/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which task is on which CPU, switch by switch: `perf sched map`. Tasks get short names, A0 to Z0,
 * then A1 and so on to Z9, and from the beginning again; idle CPUs have a dot.
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

/* A CPU beyond that is no CPU of a machine, and would make all lines longer. */
#define SCHED_MAP_CPUS_MAX 8192

struct sched_map_options {
	const struct session *session; /* that knows names */
	/*
	 * Names of tasks, or parts of them (@fuzzy), with commas between them: only these have
	 * short names, and what they leave has a line, too. NULL: all.
	 */
	const char *task_names;
	bool fuzzy;
	size_t n_cpus; /* columns at the beginning */
};

/* The sign of tasks that are not looked for, and of those that have left. */
#define SCHED_MAP_OTHER '-'

struct sched_map_task {
	int32_t tid, pid; /* pid is that of its process, where a record told it; else 0 */
	char sign[3];     /* "A0", ".", "-"; "": it was not seen to come yet */
	const char *comm; /* of the session; NULL: to be asked for */
	bool is_idle;
	bool is_renamed; /* since its name was shown */
};

struct sched_map_cpu {
	struct sched_map_task *task; /* who came last; NULL: nobody was seen */
	bool is_seen;
};

struct sched_map {
	struct sched_map_options options;
	struct arena arena;
	struct u64_map by_tid;
	struct {
		struct sched_map_cpu *items;
		size_t n, room;
	} cpus; /* columns */
	struct {
		unsigned *items;
		size_t n, room;
	} seen; /* CPUs in the order in which they appeared */
	unsigned next_sign;
	uint64_t left_out; /* switches of CPUs that no machine has */
};

/* What is new. The CPU has a star. */
struct sched_map_line {
	uint64_t time;
	unsigned cpu;
	bool is_out;                 /* its task left; else it came */
	bool is_new_cpu;             /* its first switch */
	struct sched_map_task *told; /* whose name and sign are told; NULL: nobody's */
};

void sched_map_init(struct sched_map *m, const struct sched_map_options *o);
void sched_map_done(struct sched_map *m);

/* Takes a SCHED_SWITCH. Returns the number of lines, which depends on the tasks: 0 to 2. */
size_t sched_map_take(struct sched_map *m, const struct sched_event *e,
		      struct sched_map_line lines[2]);

/*
 * A COMM record: @tid of process @pid has a new name, maybe the same. It is told again then, and as
 * in Linux's perf that of the process, whichever thread has the new name. @was_before: it has the
 * name since before the recording began.
 */
void sched_map_rename(struct sched_map *m, uint32_t pid, uint32_t tid, bool was_before);

/* A FORK record: @tid is a new task of process @pid. */
void sched_map_forget(struct sched_map *m, uint32_t pid, uint32_t tid);
