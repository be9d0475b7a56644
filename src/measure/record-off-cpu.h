/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * record --off-cpu: the event `offcpu-time`, whose samples come from BPF programs (bpf/off-cpu.h)
 * and not from the kernel's ring buffers. To readers they are ordinary samples: the period is the
 * time off the CPU in nanoseconds, the call chain where the task left it.
 */
#include <stdint.h>

#include "wire/attr.h"
#define OFF_CPU_EVENT "offcpu-time"

struct record_job;

/* Adds the event to the job's, if it is asked for. Errors with the job's diag. */
int record_off_cpu_add_event(struct record_job *j);

/*
 * What the other events must be like: of a clock that BPF programs have, and told apart by ids.
 * -EINVAL with the job's diag: other options do not go with it.
 */
int record_off_cpu_adjust(struct record_job *j);

/* Lays out the samples of the event, once the attrs of all others are made. */
void record_off_cpu_lay_out(struct record_job *j);

/* Loads the programs, and adds the source of the samples to the job. Errors with its diag. */
int record_off_cpu_start(struct record_job *j);
void record_off_cpu_done(struct record_job *j);

/* What could not be measured. */
void record_off_cpu_tell(const struct record_job *j);

struct bytes;
struct off_cpu_time;

struct off_cpu_layout {
	struct attr attr;
	uint64_t id; /* of the event */
	/*
	 * Where the scheduler lies, whose frames are the first of a kernel stack that count: those
	 * before are of the program that took it. 0: not known.
	 */
	uint64_t scheduler_start, scheduler_end;
};

/*
 * Makes @attr, of a bpf-output event, one whose samples have what is known of a wait. @leaf_regs:
 * the register in which the caller of a leaf is, as a mask; or 0.
 */
void off_cpu_lay_out(struct attr *attr, uint64_t leaf_regs);

/* Finds the scheduler in /proc/kallsyms, if that shows addresses. */
void off_cpu_layout_find_scheduler(struct off_cpu_layout *l);

/* Appends the sample. */
void off_cpu_sample_encode(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			   struct bytes *out);
