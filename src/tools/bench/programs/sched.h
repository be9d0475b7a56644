/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of the scheduler, and of the means by which processes communicate. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

#define BENCH_MESSAGING_PER_GROUP 20 /* number of senders, and of receivers */

struct bench_messaging_params {
	uint64_t groups, loops;
	bool pipe, threads;
};
bench_fn bench_sched_messaging;

struct bench_pipe_params {
	uint64_t loops, write_size;
	bool threads, nonblocking;
	/* The files cgroup.procs (or cgroup.threads) for the sender and the receiver; or NULL. */
	const char *sender_cgroup, *receiver_cgroup;
};
bench_fn bench_sched_pipe;

struct bench_seccomp_params {
	uint64_t loops;
	bool sync;
};
bench_fn bench_sched_seccomp_notify;
