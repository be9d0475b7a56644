/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whom to measure: a system, some of its CPUs, processes, threads, or the processes of a user.
 *
 * Without any of these and without a command, the whole system is meant. That the processes exist
 * is found out when they are looked up.
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
 * Drops what contradicts a stronger choice: a process beats a user, both beat CPUs and the whole
 * system, and these beat per-thread. Returns the sentence that tells of the first thing dropped, as
 * users know it, or NULL.
 */
const char *target_settle(struct target *t);

/*
 * Adds the tasks of processes, threads and the user to @l; none without them. -ESRCH with @diag
 * set: one does not exist.
 */
int target_tasks(const struct target *t, struct task_list *l, struct diag *diag);

/*
 * Of the CPUs that were named those that are online; or all of these. -ENODEV with @diag set: none
 * of them is.
 */
int target_cpus(const struct target *t, struct cpu_list *ret, struct diag *diag);

/* Warns of CPUs that were named and are not among @cpus, which target_cpus() gave. */
void target_note_cpus(const struct target *t, const struct cpu_list *cpus, struct notes *notes);

/* Is the whole system (or some of its CPUs) measured when a command is (not) given? */
bool target_is_system(const struct target *t, bool has_command);
