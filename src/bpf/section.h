/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The section of a BPF program, which determines where it runs: the names of perf's own objects
 * (`func=kmem_cache_alloc`, `exec=/usr/bin/x;name=main`, `sched:sched_switch`) and those of libbpf
 * (`kprobe/vfs_read`, `tp/sched/sched_switch`, `raw_tp/sched_switch`, ...).
 *
 * Pure text: it is not checked whether such a function or tracepoint exists.
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;

enum bpf_place {
	BPF_PLACE_TRACEPOINT, /* an event of the kernel: @event */
	BPF_PLACE_PROBE,      /* a probe to be set: @definition */
	BPF_PLACE_OWN,        /* no event: libbpf attaches it */
};

struct bpf_section {
	enum bpf_place place;
	char *event;      /* "system:name" of the tracepoint */
	char *definition; /* the probe, in the language of perf probe */
	char *program;    /* program whose function is probed; NULL: the kernel */
	char *module;     /* likewise */
	bool no_inlines;
};

/* Parses @section. -EINVAL with @diag marking the mistake. */
int bpf_section_parse(const char *section, struct bpf_section *ret, struct diag *diag);
void bpf_section_done(struct bpf_section *s);
