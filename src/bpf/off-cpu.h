/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The time that tasks are off their CPUs, measured in the kernel by BPF programs.
 *
 * Long waits are reported one by one, with their stacks. Short ones are summed up in the kernel by
 * task, state and stack, and read when a file ends. Waits that are not over when measuring is
 * turned off count up to that moment. Memory in the kernel is allocated at the beginning and does
 * not grow.
 *
 * Times are of CLOCK_MONOTONIC. turn() and read() may be called in different threads.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "bpf/off-cpu-types.h"
#include "bpf/targets.h"

struct bpf_off_cpu;
struct diag;
struct runtime_functions;

struct bpf_off_cpu_request {
	struct bpf_targets targets;
	bool no_children; /* the children of the tasks are not followed */
	/* The recording ends with this task, so its sums count as those of the end; 0: none. */
	uint32_t last_task;
	const int *cgroup_fds; /* a task counts if it is in any of them, or below; NULL: always */
	size_t n_cgroup_fds;
	bool kernel_stack, user_stack;
	bool unwinds; /* unwind user stacks by rules, if these lead to the end */
	struct runtime_functions *functions; /* see unwind_tables_start() */
	bool wants_link;                     /* get the link register of user space, too */
	bool kernel_threads;                 /* kernel threads count, too */
	uint32_t states;                     /* 1 << OFF_CPU_...: the states that count */
	uint64_t threshold_ns, least_ns;
};

/* A wait, or a sum of waits. Stacks are innermost first, and borrowed. */
struct off_cpu_time {
	uint32_t tid, tgid, cpu;
	enum off_cpu_state state;
	uint64_t end_ns; /* 0: this is a sum of waits until now */
	uint64_t ns;
	uint64_t waits;
	const uint64_t *kernel, *user;
	size_t n_kernel, n_user;
	uint64_t link; /* 0: not known */
};

/*
 * Loads and attaches the programs; nothing counts until bpf_off_cpu_turn(). -EOPNOTSUPP: BPF cannot
 * do this here, for a reason that is not a failure; other errors: the kernel rejects it. @diag
 * gives the reason. Results are passed to @take, whose negative errno stops the reading.
 */
int bpf_off_cpu_open(const struct bpf_off_cpu_request *rq,
		     int (*take)(void *arg, const struct off_cpu_time *t), void *arg,
		     struct bpf_off_cpu **ret, struct diag *diag);

/* Ends measuring; nothing stays in the kernel. */
void bpf_off_cpu_free(struct bpf_off_cpu *o);
DEFINE_FREEP(bpf_off_cpu)

/* Returns a descriptor that is readable when there is much to read. */
int bpf_off_cpu_fd(const struct bpf_off_cpu *o);

void bpf_off_cpu_turn(struct bpf_off_cpu *o, bool on);

/*
 * Passes on all waits that were reported, and the sums of tasks that have ended; @with_sums: also
 * the additions to all sums since the last time. Errors of @take, or with @diag.
 */
int bpf_off_cpu_read(struct bpf_off_cpu *o, bool with_sums, struct diag *diag);

/* The data that is missing. */
struct bpf_off_cpu_losses {
	uint64_t tasks;    /* waits of tasks for which there was no space */
	uint64_t waits;    /* waits that found the ring full */
	uint64_t wait_ns;  /* and their total time */
	uint64_t children; /* children that could not be followed */
	uint64_t runs;     /* program runs lost because another one ran on the CPU */
};

int bpf_off_cpu_losses(const struct bpf_off_cpu *o, struct bpf_off_cpu_losses *ret,
		       struct diag *diag);
