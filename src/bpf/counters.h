/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts for tasks, CPUs or cgroups from counters that run on each CPU (bpf/shared-events.h). A BPF
 * program reads them when a CPU switches from one task to another, so one set of counters serves
 * any number of tasks and cgroups, and several perf processes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"

struct bpf_counters;
struct count;
struct cpu_list;
struct diag;

struct bpf_counters_request {
	const int *arrays; /* for each event, the counters of all CPUs: perf event arrays */
	size_t n_events;
	const struct cpu_list *cpus; /* online CPUs: counting is started and stopped on these */
	const pid_t *tids;           /* tasks, a slot each, including the tasks that they fork */
	size_t n_tids;
	bool inherit;
	bool wait_for_exec; /* the task is a child that has not yet called exec */
	/* or cgroups, a slot each, with all inside; neither: one slot */
	const uint64_t *cgroup_ids;
	size_t n_cgroups;
	uint32_t program_id; /* or the runs of this BPF program, in one slot; 0: none */
};

/*
 * Prepares counting, without starting it. Returns a negative errno with @diag: the kernel rejects
 * the programs, there are too many events (-E2BIG), or the tasks are in another PID namespace
 * (-EOPNOTSUPP).
 */
int bpf_counters_open(const struct bpf_counters_request *rq, struct bpf_counters **ret,
		      struct diag *diag);
void bpf_counters_free(struct bpf_counters *c);
DEFINE_FREEP(bpf_counters)

/* Start and stop counting. Errors are the kernel's, without a message. */
int bpf_counters_start(struct bpf_counters *c);
int bpf_counters_stop(struct bpf_counters *c);

/* Adds the current counts of running tasks to the sums that are read next. */
int bpf_counters_flush(struct bpf_counters *c);

/*
 * Reads the counts of a slot and event on each possible CPU: @ret has space for bpf_module_cpus()
 * of them.
 */
int bpf_counters_read(const struct bpf_counters *c, size_t slot, size_t event, struct count *ret);

/* Returns the numbers of forked tasks and of readings that were lost. */
int bpf_counters_lost(const struct bpf_counters *c, uint64_t *ret_tasks, uint64_t *ret_reads);
