/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whom to measure: -a, -C, -p, -t, -u, for every command that opens events.
 *
 * Nothing is looked up in /proc here: that the processes exist is found out when events are opened.
 * Without any of these and without a command, the whole system is meant (RC-46).
 */
#include <stdbool.h>
#include <sys/types.h>

#include "base/cpu-list.h"
#include "cli/option.h"
#include "cmd/opt/value.h"

struct diag;
struct task_list;

struct user_choice {
	bool given;
	uid_t uid;
};

struct target_opts {
	bool all_cpus;
	struct cpu_list cpus;  /* empty: not limited */
	const char *cpus_text; /* as typed, for titles */
	struct id_list pids;
	struct id_list tids;
	struct user_choice user;
	bool per_thread; /* one buffer per thread; its row is record's own */
};

/* Rows over a struct target_opts, with a heading. */
extern const struct option target_options[];

void target_opts_done(struct target_opts *t);

/*
 * Drops what contradicts a stronger choice: a process beats a user, both beat CPUs and the whole
 * system, and these beat per-thread. Returns the sentence that tells of the first thing dropped, as
 * users know it, or NULL.
 */
const char *target_opts_settle(struct target_opts *t);

/*
 * Adds the tasks that -p, -t and -u name to @l; none without them. -ESRCH with @diag set: one does
 * not exist.
 */
int target_opts_tasks(const struct target_opts *t, struct task_list *l, struct diag *diag);

/*
 * The CPUs that were named, each of which must be there; or all that are online. -ENODEV with @diag
 * set: one is not.
 */
int target_opts_cpus(const struct target_opts *t, struct cpu_list *ret, struct diag *diag);

/* Is the whole system (or some of its CPUs) measured when a command is (not) given? */
bool target_opts_is_system(const struct target_opts *t, bool has_command);
