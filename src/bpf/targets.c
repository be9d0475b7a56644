/* SPDX-License-Identifier: MIT */
#include "bpf/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "bpf/field.h"
#include "bpf/module.h"
#include "bpf/program-types.h"
#include "event/env.h"
#include "kernel/tracefs.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"
#include "wire/attr.h"

/*
 * The capacity for tasks that run at once in addition to those named. An entry takes about 60
 * bytes.
 */
#define CHILDREN_MAX 32768

/* PROC_PID_INIT_INO of the kernel: the inode of the initial PID namespace. */
#define INITIAL_PID_NAMESPACE 0xeffffffc

int bpf_targets_check_namespace(struct diag *diag)
{
	struct stat s;

	if (stat("/proc/self/ns/pid", &s) < 0 || s.st_ino == INITIAL_PID_NAMESPACE)
		return 0;
	return diag_set(diag, -EOPNOTSUPP,
			"BPF programs see other ids of tasks than this container");
}

static int choose_cpus(const struct cpu_list *cpus, struct program_targets *ret, struct diag *diag)
{
	ret->limits_cpus = 1;
	for (size_t i = 0; i < cpus->n; i++) {
		if (cpus->items[i] >= PROGRAM_CPUS_MAX)
			return diag_set(diag, -EOPNOTSUPP, "CPU %u is beyond those BPF can choose",
					cpus->items[i]);
		ret->cpus[cpus->items[i] / 64] |= UINT64_C(1) << cpus->items[i] % 64;
	}
	return 0;
}

/*
 * Finds the field @name of the scheduler's tracepoint @event; its offset differs between kernels.
 */
static int bpf_targets_find_field(struct event_env *env, const char *event, const char *name,
				  struct program_field *ret, struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(freep) char *text = NULL;
	struct tracefs *fs;
	int r = event_env_tracefs(env, &fs, diag);

	if (r >= 0)
		r = tracefs_event_format(fs, "sched", event, &text);
	if (r >= 0)
		r = tracepoint_format_parse(text, &format, diag);
	if (r >= 0) {
		struct field_ref field = tracepoint_field_bind(format, name, false);

		r = bpf_field_of(&field, ret);
	}
	return r < 0 ? diag_set(diag, r, "tasks cannot be followed without sched:%s", event) : 0;
}

int bpf_targets_choose(const struct bpf_targets *t, struct bpf_module *m,
		       struct program_targets *ret, struct diag *diag)
{
	int r = t->tids ? bpf_targets_check_namespace(diag) : 0;

	if (r >= 0 && t->tids)
		r = bpf_module_size(m, "tasks", (uint32_t)t->n_tids + CHILDREN_MAX);
	if (r >= 0 && t->cpus)
		r = choose_cpus(t->cpus, ret, diag);
	ret->limits_tasks = t->tids != NULL;
	ret->limits_cgroup = t->cgroup_fd >= 0;
	return r;
}

static int want_tasks(struct event_env *env, struct bpf_module *m, struct program_targets *ret,
		      struct diag *diag)
{
	static const char *const programs[] = { "on_fork", "on_exec", "on_exit" };
	int r = bpf_targets_find_field(env, "sched_process_fork", "child_pid", &ret->child, diag);

	if (r >= 0)
		r = bpf_targets_find_field(env, "sched_process_exec", "old_pid", &ret->old_task,
					   diag);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		r = bpf_module_want(m, programs[i]);
	return r;
}

int bpf_targets_prepare(const struct bpf_targets *t, struct event_env *env, struct bpf_module *m,
			struct program_targets *ret, struct diag *diag)
{
	int r = bpf_targets_choose(t, m, ret, diag);

	return r < 0 || !t->tids ? r : want_tasks(env, m, ret, diag);
}

int bpf_targets_attach(struct bpf_module *m, const char *program, struct event_env *env,
		       const char *event, struct diag *diag)
{
	struct attr attr = { .type = PERF_TYPE_TRACEPOINT };
	struct tracefs *fs;
	int r = event_env_tracefs(env, &fs, diag);

	if (r < 0)
		return r;
	r = tracefs_event_id(fs, "sched", event, &attr.config);
	if (r < 0)
		return diag_set(diag, r, "there is no tracepoint sched:%s", event);
	return bpf_module_attach(m, program, &attr, 0, event, diag);
}

static int bpf_targets_follow(struct event_env *env, struct bpf_module *m, struct diag *diag)
{
	int r = bpf_targets_attach(m, "on_fork", env, "sched_process_fork", diag);

	if (r >= 0)
		r = bpf_targets_attach(m, "on_exec", env, "sched_process_exec", diag);
	return r < 0 ? r : bpf_targets_attach(m, "on_exit", env, "sched_process_exit", diag);
}

int bpf_targets_put(const struct bpf_targets *t, struct bpf_module *m, struct diag *diag)
{
	uint32_t state = t->wait_for_exec ? PROGRAM_TASK_WAITS : PROGRAM_TASK_COUNTS, zero = 0;
	int r = 0;

	for (size_t i = 0; i < t->n_tids && r >= 0; i++)
		r = bpf_module_put(m, "tasks", &t->tids[i], &state, diag);
	if (r >= 0 && t->cgroup_fd >= 0)
		r = bpf_module_put(m, "cgroup", &zero, &t->cgroup_fd, diag);
	return r;
}

int bpf_targets_begin(const struct bpf_targets *t, struct event_env *env, struct bpf_module *m,
		      struct diag *diag)
{
	int r = t->tids ? bpf_targets_follow(env, m, diag) : 0;

	return r < 0 ? r : bpf_targets_put(t, m, diag);
}

int bpf_targets_lost(const struct bpf_module *m, uint64_t *ret, struct diag *diag)
{
	return bpf_module_sum(m, "tasks_lost", 1, ret, diag);
}
