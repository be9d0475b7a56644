/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Replaces the kernel's functions for a BPF program that is compiled into a test: its #include of
 * <bpf/bpf_helpers.h> finds this file. The test defines the functions.
 */
#include <linux/types.h>

#define SEC(name)
#define __uint(name, value) int(*name)[value]
#define __type(name, type)  type *name
#ifndef __noinline
#define __noinline     __attribute__((noinline))
#define barrier_var(v) (void)(v)
#endif

struct task_struct;

void *bpf_map_lookup_elem(const void *map, const void *key);
long bpf_map_update_elem(const void *map, const void *key, const void *value, __u64 flags);
long bpf_ringbuf_output(const void *map, const void *bytes, __u64 size, __u64 flags);
__u64 bpf_ktime_get_ns(void);
__u64 bpf_get_current_pid_tgid(void);
struct bpf_pidns_info;
long bpf_get_ns_current_pid_tgid(__u64 device, __u64 inode, struct bpf_pidns_info *ret, __u32 size);
struct task_struct *bpf_get_current_task_btf(void);
long bpf_task_pt_regs(struct task_struct *task);
long bpf_probe_read_kernel(void *to, __u32 size, const void *from);
long bpf_probe_read_user(void *to, __u32 size, const void *from);
