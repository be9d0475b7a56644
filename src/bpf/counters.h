/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts of tasks, CPUs or cgroups from counters that run on each CPU (bpf/shared-events.h). A BPF
 * program reads them when a CPU goes from one task to another, so one set of counters serves any
 * number of tasks and cgroups, and several perf processes.
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
	const int *arrays; /* of each event, the counters of all CPUs: perf event arrays */
	size_t n_events;
	const struct cpu_list *cpus; /* online: these are told to start and stop */
	const pid_t *tids;           /* a slot each, with all that it forks; */
	size_t n_tids;
	bool inherit;
	bool wait_for_exec;         /* the task is a child that has not yet called exec */
	const uint64_t *cgroup_ids; /* or a slot each, with all within; neither: one slot */
	size_t n_cgroups;
	uint32_t program_id; /* or the runs of this BPF program, in one slot; 0: none */
};

/*
 * Makes everything ready; nothing counts yet. A negative errno with @diag: the kernel refuses it,
 * there are too many events (-E2BIG), or the tasks are of another PID namespace (-EOPNOTSUPP).
 */
int bpf_counters_open(const struct bpf_counters_request *rq, struct bpf_counters **ret,
		      struct diag *diag);
void bpf_counters_free(struct bpf_counters *c);
DEFINE_FREEP(bpf_counters)

/* Errors of the kernel, without words. */
int bpf_counters_start(struct bpf_counters *c);
int bpf_counters_stop(struct bpf_counters *c);

/* Adds what runs now to the sums that are read next. */
int bpf_counters_flush(struct bpf_counters *c);

/*
 * What was counted for the slot and event, on each CPU that there may ever be: @ret has room for
 * bpf_module_cpus() of them.
 */
int bpf_counters_read(const struct bpf_counters *c, size_t slot, size_t event, struct count *ret);

/* How many tasks that were forked, and readings, were lost. */
int bpf_counters_lost(const struct bpf_counters *c, uint64_t *ret_tasks, uint64_t *ret_reads);
