/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The BPF objects that are part of this program: NAME.bpf.c, compiled when perf is built.
 *
 * A build without libbpf or without a clang that supports BPF has none: `HAVE_BPF` of config.h.
 */
#include <stddef.h>

struct bpf_image {
	const char *name;
	const void *bytes;
	size_t size;
};

extern const struct bpf_image bpf_image_counters;
extern const struct bpf_image bpf_image_stack_sample;
extern const struct bpf_image bpf_image_sample_filter;
extern const struct bpf_image bpf_image_bench_uprobe, bpf_image_kwork, bpf_image_off_cpu;
extern const struct bpf_image bpf_image_hist, bpf_image_kmem, bpf_image_lock, bpf_image_trace,
	bpf_image_trace_summary;
