/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A wait, measured by a BPF program, as a sample of the event `offcpu-time`.
 *
 * A sum of short waits has no time of its own. Its sample has SAMPLE_TIME_SUM (wire/sample.h).
 */
#include <stdint.h>

#include "wire/attr.h"

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
