/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads and their names as the tables of an export see them: each name that a thread had is an
 * object of its own, with the time from which it holds.
 *
 * A process goes by the name that it got from its last exec, or, if it had none, by the first name
 * that it is known to have had: a name that is set later is that of a thread. Owned by the export.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct export_comm {
	const char *text;
	uint64_t start; /* time; 0: before the recording */
	bool is_exec;   /* it came with a new program */
	bool is_known;  /* a record told of it; else it is ":TID" */
	uint64_t id;    /* in its table; 0: not there yet */
	struct export_comm *before;
};

struct export_thread {
	uint32_t pid, tid;
	uint64_t id;              /* in its table; 0: not there yet */
	struct export_comm *comm; /* the present one; others by ->before */
	const struct export_comm
		*told; /* the name of its process that it was put beside; or NULL */
};

struct export_tasks {
	struct arena arena;
	struct u64_map threads; /* by tid + 1 */
};

/* Knows the idle task only. */
void export_tasks_init(struct export_tasks *t);
void export_tasks_done(struct export_tasks *t);

/* A COMM record. */
void export_tasks_name(struct export_tasks *t, uint32_t pid, uint32_t tid, const char *comm,
		       uint64_t time, bool is_exec);

/* A FORK record: whoever had the tid before is another thread. */
void export_tasks_fork(struct export_tasks *t, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid, uint64_t time);

/* The thread, if anything is known of it; or NULL. */
struct export_thread *export_tasks_find(const struct export_tasks *t, uint32_t tid);

/* The same, made if need be. */
struct export_thread *export_tasks_get(struct export_tasks *t, uint32_t pid, uint32_t tid);

/* The name that the process of @main, a main thread, goes by. */
struct export_comm *export_process_comm(const struct export_thread *main);
