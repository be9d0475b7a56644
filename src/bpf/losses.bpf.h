/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Numbers of what a program lost, by kind: the BPF side of bpf_module_sum().
 *
 * LOSSES() makes the map for @n kinds, and the functions that add to it.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define LOSSES(n)                                                                                  \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);                                           \
		__uint(max_entries, n);                                                            \
		__type(key, __u32);                                                                \
		__type(value, __u64);                                                              \
	} losses SEC(".maps");                                                                     \
                                                                                                   \
	static __always_inline void add_losses(__u32 kind, __u64 lost)                             \
	{                                                                                          \
		__u64 *count = bpf_map_lookup_elem(&losses, &kind);                                \
                                                                                                   \
		if (count)                                                                         \
			*count += lost;                                                            \
	}                                                                                          \
                                                                                                   \
	static __always_inline void add_loss(__u32 kind)                                           \
	{                                                                                          \
		add_losses(kind, 1);                                                               \
	}
