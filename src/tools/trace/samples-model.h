/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * System calls from samples of tracepoints: raw_syscalls:sys_enter and sys_exit, from a file or
 * from ring buffers. It also handles side-band records: names of tasks, forks, ends, losses.
 */
#include <stdbool.h>

#include "base/cleanup.h"
#include "session/consumer.h"

struct trace_model;
struct trace_samples;

struct trace_samples_options {
	bool takes_calls; /* raw_syscalls make calls: not if BPF watches them */
	bool takes_tasks; /* forks and ends: not if BPF reports them */
	/* raw_syscalls:sys_exit only provides the stacks of calls that BPF watches. */
	bool takes_stacks;
};

struct trace_samples *trace_samples_new(const struct trace_samples_options *o,
					struct trace_model *model);
void trace_samples_free(struct trace_samples *t);
DEFINE_FREEP(trace_samples)

/* Returns a consumer for session_feed() or live_run() that feeds the model. */
struct consumer trace_samples_consumer(struct trace_samples *t);

/*
 * Sets the machine of the samples, "x86_64", and whether they are in the other byte order. The
 * consumer calls it when it begins.
 */
void trace_samples_set_machine(struct trace_samples *t, const char *machine, bool is_swapped);

/* True if the recording has system calls, which is known once the consumer has begun. */
bool trace_samples_has_calls(const struct trace_samples *t);
