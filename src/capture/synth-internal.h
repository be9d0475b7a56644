/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of the synthesised prologue; capture/synth.h is the contract.
 */
#include "capture/synth.h"

/* Appends @r, including a trailer of zeros. Data that does not fit into a record is left out. */
void synth_add(const struct synth_plan *p, const struct record *r, struct bytes *out);

/* synth-event.c: ids, names, units, threads and CPUs */
void synth_id_index(const struct synth_plan *p, struct bytes *out);
void synth_event_updates(const struct synth_plan *p, struct bytes *out);
void synth_thread_map(const struct synth_plan *p, struct bytes *out);
void synth_cpu_map(const struct synth_plan *p, struct bytes *out);

/* synth-kernel.c: the kernel's map and those of its modules, if any event includes the kernel */
void synth_kernel(const struct synth_plan *p, struct bytes *out);

/* synth-guest.c: the same for guests */
void synth_guest_kernels(const struct synth_plan *p, struct bytes *out);

/*
 * synth-bpf.c: KSYMBOL for each function of each BPF program, BPF_EVENT for each program, and
 * BPF_METADATA if requested
 */
void synth_bpf(const struct synth_plan *p, struct bytes *out);

/* synth-cgroup.c: the ids of all cgroups */
void synth_cgroups(const struct synth_plan *p, struct bytes *out);
