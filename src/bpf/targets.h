/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks whose events BPF programs count: some tasks with all that they fork, the tasks on some
 * CPUs, or those of a cgroup.
 *
 * A program that is attached to a tracepoint runs for all tasks. The programs of an object that
 * includes targets.bpf.h therefore check whether the current task counts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bpf_module;
struct cpu_list;
struct diag;
struct event_env;
struct program_targets;

struct bpf_targets {
	const pid_t *tids; /* NULL: all tasks */
	size_t n_tids;
	bool wait_for_exec;          /* the only task is a child that has not yet called exec */
	const struct cpu_list *cpus; /* NULL: all CPUs */
	int cgroup_fd;               /* -1: none */
};

/*
 * Checks the PID namespace. -EOPNOTSUPP with @diag: ours is not the initial one, whose ids programs
 * see.
 */
int bpf_targets_check_namespace(struct diag *diag);

/*
 * Fills in the constants, for an object that follows tasks with programs of its own. The errors are
 * those of bpf_targets_prepare().
 */
int bpf_targets_choose(const struct bpf_targets *t, struct bpf_module *m,
		       struct program_targets *ret, struct diag *diag);

/* Passes the tasks and the cgroup to @m after it was loaded. Errors with @diag. */
int bpf_targets_put(const struct bpf_targets *t, struct bpf_module *m, struct diag *diag);

/*
 * Fills in the constants, and selects the programs and the capacity that they need in @m.
 * -EOPNOTSUPP: tasks are selected in another PID namespace than the initial one, whose ids the
 * programs see; or an error of tracefs; with @diag.
 */
int bpf_targets_prepare(const struct bpf_targets *t, struct event_env *env, struct bpf_module *m,
			struct program_targets *ret, struct diag *diag);

/* Passes the tasks to @m after it was loaded, and follows them. Errors with @diag. */
int bpf_targets_begin(const struct bpf_targets *t, struct event_env *env, struct bpf_module *m,
		      struct diag *diag);

/* Runs @program at every occurrence of the scheduler's tracepoint @event. Errors with @diag. */
int bpf_targets_attach(struct bpf_module *m, const char *program, struct event_env *env,
		       const char *event, struct diag *diag);

/* Returns the number of forked tasks that could not be followed. */
int bpf_targets_lost(const struct bpf_module *m, uint64_t *ret, struct diag *diag);
