/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the section of a BPF program says about where it runs: the names of perf's own objects
 * (`func=kmem_cache_alloc`, `exec=/usr/bin/x;name=main`, `sched:sched_switch`) and those of libbpf
 * (`kprobe/vfs_read`, `tp/sched/sched_switch`, `raw_tp/sched_switch`, ...).
 *
 * Pure text: whether there is such a function or tracepoint is not asked.
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;

enum bpf_place {
	BPF_PLACE_TRACEPOINT, /* an event of the kernel: @event */
	BPF_PLACE_PROBE,      /* a probe that is to be set: @definition */
	BPF_PLACE_OWN,        /* no event: libbpf knows how it is attached */
};

struct bpf_section {
	enum bpf_place place;
	char *event;      /* "system:name" of a tracepoint */
	char *definition; /* of a probe, in the language of perf probe */
	char *program;    /* whose function is probed; NULL: the kernel's */
	char *module;     /* likewise */
	bool no_inlines;
};

/* Reads @section. -EINVAL with @diag marking what is wrong in it. */
int bpf_section_parse(const char *section, struct bpf_section *ret, struct diag *diag);
void bpf_section_done(struct bpf_section *s);
