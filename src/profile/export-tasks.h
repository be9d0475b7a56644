/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads and their names in the form of an export's tables: each name of a thread is an object of
 * its own, with the time from which it is valid.
 *
 * A process goes by the name that it got from its last exec, or, if there was none, by its first
 * known name: a name that is set later is that of a thread. Owned by the export.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct export_comm {
	const char *text;
	uint64_t start; /* the time; 0: before the recording */
	bool is_exec;   /* set by an exec */
	bool is_known;  /* known from a record; otherwise it is ":TID" */
	uint64_t id;    /* number in its table; 0: not there yet */
	struct export_comm *before;
};

struct export_thread {
	uint32_t pid, tid;
	uint64_t id;                    /* number in its table; 0: not there yet */
	struct export_comm *comm;       /* the present name; earlier ones by ->before */
	const struct export_comm *told; /* the process name for which a row was added; or NULL */
};

struct export_tasks {
	struct arena arena;
	struct u64_map threads; /* by tid + 1 */
};

/* Makes a set that knows only the idle task. */
void export_tasks_init(struct export_tasks *t);
void export_tasks_done(struct export_tasks *t);

/* Takes a COMM record, which gives a thread its name. */
void export_tasks_name(struct export_tasks *t, uint32_t pid, uint32_t tid, const char *comm,
		       uint64_t time, bool is_exec);

/* Takes a FORK record: a thread that had the tid before is another thread. */
void export_tasks_fork(struct export_tasks *t, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid, uint64_t time);

/* Returns the thread, if anything is known about it; or NULL. */
struct export_thread *export_tasks_find(const struct export_tasks *t, uint32_t tid);

/* Returns the thread, which is made if necessary. */
struct export_thread *export_tasks_get(struct export_tasks *t, uint32_t pid, uint32_t tid);

/* Returns the name of the process whose main thread is @main. */
struct export_comm *export_process_comm(const struct export_thread *main);
