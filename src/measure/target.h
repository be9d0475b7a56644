/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The target of a measurement: a system, some of its CPUs, processes, threads, or the processes of
 * a user.
 *
 * Without any of these and without a command, the target is the whole system. Whether the processes
 * exist is checked when they are looked up.
 */
#include <stdbool.h>
#include <sys/types.h>

#include "base/cpu-list.h"
#include "base/id-list.h"

struct diag;
struct notes;
struct task_list;

struct user_choice {
	bool given;
	uid_t uid;
};

struct target {
	bool all_cpus;
	struct cpu_list cpus;  /* empty: not limited */
	const char *cpus_text; /* as typed, for titles */
	struct id_list pids;
	struct id_list tids;
	struct user_choice user;
	bool per_thread; /* one buffer per thread */
};

void target_done(struct target *t);

/*
 * Drops choices that contradict a stronger choice: a process beats a user, both beat CPUs and the
 * whole system, and these beat per-thread. Returns a sentence about the first choice that was
 * dropped, in the user's terms, or NULL.
 */
const char *target_settle(struct target *t);

/*
 * Adds the tasks of the processes, threads and the user to @l; adds nothing if none is given.
 * -ESRCH with @diag set: one of them does not exist.
 */
int target_tasks(const struct target *t, struct task_list *l, struct diag *diag);

/*
 * Gives those of the named CPUs that are online, or all online CPUs if none is named. -ENODEV with
 * @diag set: none of them is online.
 */
int target_cpus(const struct target *t, struct cpu_list *ret, struct diag *diag);

/* Warns about CPUs that were named and are not among @cpus, which target_cpus() gave. */
void target_note_cpus(const struct target *t, const struct cpu_list *cpus, struct notes *notes);

/* True if the whole system (or some of its CPUs) is measured. @has_command: a command is given. */
bool target_is_system(const struct target *t, bool has_command);
