/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whose events BPF programs count: some tasks with all that they fork, some CPUs, a cgroup.
 *
 * A program that is attached to a tracepoint runs for everybody. So the programs of an object that
 * includes targets.bpf.h look themselves whether the current task is meant.
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
	bool wait_for_exec;          /* the tasks are a child that has not yet called exec */
	const struct cpu_list *cpus; /* NULL: all */
	int cgroup_fd;               /* -1: none */
};

/*
 * -EOPNOTSUPP with @diag: we are in another PID namespace than the initial one, whose ids programs
 * see.
 */
int bpf_targets_check_namespace(struct diag *diag);

/*
 * Fills the constants in, for an object that follows tasks by programs of its own. Errors as of
 * bpf_targets_prepare().
 */
int bpf_targets_choose(const struct bpf_targets *t, struct bpf_module *m,
		       struct program_targets *ret, struct diag *diag);

/* After @m was loaded: tells it the tasks and the cgroup. Errors with @diag. */
int bpf_targets_put(const struct bpf_targets *t, struct bpf_module *m, struct diag *diag);

/*
 * Fills the constants in, and asks @m for the programs and the room that they need. -EOPNOTSUPP:
 * tasks are chosen in another PID namespace than the initial one, whose ids the programs see; or an
 * error of tracefs; with @diag.
 */
int bpf_targets_prepare(const struct bpf_targets *t, struct event_env *env, struct bpf_module *m,
			struct program_targets *ret, struct diag *diag);

/* After @m was loaded: tells it the tasks, and follows them. Errors with @diag. */
int bpf_targets_begin(const struct bpf_targets *t, struct event_env *env, struct bpf_module *m,
		      struct diag *diag);

/* Runs @program at every occurrence of the scheduler's tracepoint @event. Errors with @diag. */
int bpf_targets_attach(struct bpf_module *m, const char *program, struct event_env *env,
		       const char *event, struct diag *diag);

/* How many tasks that were forked could not be followed. */
int bpf_targets_lost(const struct bpf_module *m, uint64_t *ret, struct diag *diag);
