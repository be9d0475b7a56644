/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * record --off-cpu: the event `offcpu-time`, whose samples come from BPF programs (bpf/off-cpu.h)
 * and not from the kernel's ring buffers. To readers they are ordinary samples: the period is the
 * time off the CPU in nanoseconds, the call chain where the task left it.
 */
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
