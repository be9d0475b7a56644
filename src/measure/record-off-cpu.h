/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * record --off-cpu: the event `offcpu-time`, whose samples come from BPF programs (bpf/off-cpu.h)
 * and not from the kernel's ring buffers. Readers see ordinary samples: the period is the time off
 * the CPU in nanoseconds, and the call chain is where the task left it.
 */
#include <stdint.h>

#include "wire/attr.h"
#define OFF_CPU_EVENT "offcpu-time"

struct record_job;

/* Adds the event to the job's events, if it is requested. Sets the job's diag on errors. */
int record_off_cpu_add_event(struct record_job *j);

/*
 * Adjusts the other events: they use a clock that BPF programs have, and are told apart by ids.
 * -EINVAL with the job's diag: other options do not go with it.
 */
int record_off_cpu_adjust(struct record_job *j);

/* Lays out the samples of the event, once the attrs of all other events are made. */
void record_off_cpu_lay_out(struct record_job *j);

/*
 * Loads the programs, and adds the source of the samples to the job. Sets the job's diag on errors.
 */
int record_off_cpu_start(struct record_job *j);
void record_off_cpu_done(struct record_job *j);

/* Reports what could not be measured. */
void record_off_cpu_tell(const struct record_job *j);

struct bytes;
struct off_cpu_time;

struct off_cpu_layout {
	struct attr attr;
	uint64_t id; /* id of the event */
	/*
	 * The address range of the scheduler. Its frames are the first of a kernel stack that
	 * count; those before them belong to the BPF program that took the stack. 0: not known.
	 */
	uint64_t scheduler_start, scheduler_end;
};

/*
 * Makes @attr, which is of a bpf-output event, one whose samples have the fields that are known of
 * a wait. @leaf_regs: a mask with the register that holds the caller of a leaf; or 0.
 */
void off_cpu_lay_out(struct attr *attr, uint64_t leaf_regs);

/* Finds the address range of the scheduler in /proc/kallsyms, if that shows addresses. */
void off_cpu_layout_find_scheduler(struct off_cpu_layout *l);

/* Appends the sample. */
void off_cpu_sample_encode(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			   struct bytes *out);
