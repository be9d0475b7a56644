/* SPDX-License-Identifier: MIT */
/*
 * What most BPF programs need of libbpf's header of this name, for machines where it is not
 * installed. The numbers are those of linux/bpf.h: enum bpf_func_id.
 */
#pragma once
#include <linux/bpf.h>
#include <linux/types.h>

#define SEC(name)          __attribute__((section(name), used))
#define __uint(name, val)  int(*name)[val]
#define __type(name, val)  typeof(val) *name
#define __array(name, val) typeof(val) *name[]
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#ifndef __noinline
#define __noinline __attribute__((noinline))
#endif
#ifndef __weak
#define __weak __attribute__((weak))
#endif

#define PERF_HELPER(result, name, ...)                                                             \
	static result (*name)(__VA_ARGS__) __attribute__((unused)) = (void *)PERF_NUMBER_##name
#define PERF_NUMBER_bpf_map_lookup_elem       BPF_FUNC_map_lookup_elem
#define PERF_NUMBER_bpf_map_update_elem       BPF_FUNC_map_update_elem
#define PERF_NUMBER_bpf_map_delete_elem       BPF_FUNC_map_delete_elem
#define PERF_NUMBER_bpf_probe_read            BPF_FUNC_probe_read
#define PERF_NUMBER_bpf_probe_read_kernel     BPF_FUNC_probe_read_kernel
#define PERF_NUMBER_bpf_probe_read_user       BPF_FUNC_probe_read_user
#define PERF_NUMBER_bpf_probe_read_kernel_str BPF_FUNC_probe_read_kernel_str
#define PERF_NUMBER_bpf_probe_read_user_str   BPF_FUNC_probe_read_user_str
#define PERF_NUMBER_bpf_ktime_get_ns          BPF_FUNC_ktime_get_ns
#define PERF_NUMBER_bpf_get_prandom_u32       BPF_FUNC_get_prandom_u32
#define PERF_NUMBER_bpf_get_smp_processor_id  BPF_FUNC_get_smp_processor_id
#define PERF_NUMBER_bpf_get_current_pid_tgid  BPF_FUNC_get_current_pid_tgid
#define PERF_NUMBER_bpf_get_current_uid_gid   BPF_FUNC_get_current_uid_gid
#define PERF_NUMBER_bpf_get_current_comm      BPF_FUNC_get_current_comm
#define PERF_NUMBER_bpf_get_current_task      BPF_FUNC_get_current_task
#define PERF_NUMBER_bpf_get_current_cgroup_id BPF_FUNC_get_current_cgroup_id
#define PERF_NUMBER_bpf_perf_event_output     BPF_FUNC_perf_event_output
#define PERF_NUMBER_bpf_get_stackid           BPF_FUNC_get_stackid
#define PERF_NUMBER_bpf_get_stack             BPF_FUNC_get_stack
#define PERF_NUMBER_bpf_get_attach_cookie     BPF_FUNC_get_attach_cookie

PERF_HELPER(void *, bpf_map_lookup_elem, void *map, const void *key);
PERF_HELPER(long, bpf_map_update_elem, void *map, const void *key, const void *value, __u64 flags);
PERF_HELPER(long, bpf_map_delete_elem, void *map, const void *key);
PERF_HELPER(long, bpf_probe_read, void *to, __u32 size, const void *from);
PERF_HELPER(long, bpf_probe_read_kernel, void *to, __u32 size, const void *from);
PERF_HELPER(long, bpf_probe_read_user, void *to, __u32 size, const void *from);
PERF_HELPER(long, bpf_probe_read_kernel_str, void *to, __u32 size, const void *from);
PERF_HELPER(long, bpf_probe_read_user_str, void *to, __u32 size, const void *from);
PERF_HELPER(__u64, bpf_ktime_get_ns, void);
PERF_HELPER(__u32, bpf_get_prandom_u32, void);
PERF_HELPER(__u32, bpf_get_smp_processor_id, void);
PERF_HELPER(__u64, bpf_get_current_pid_tgid, void);
PERF_HELPER(__u64, bpf_get_current_uid_gid, void);
PERF_HELPER(long, bpf_get_current_comm, void *to, __u32 size);
PERF_HELPER(__u64, bpf_get_current_task, void);
PERF_HELPER(__u64, bpf_get_current_cgroup_id, void);
PERF_HELPER(long, bpf_perf_event_output, void *ctx, void *map, __u64 flags, void *data, __u64 size);
PERF_HELPER(long, bpf_get_stackid, void *ctx, void *map, __u64 flags);
PERF_HELPER(long, bpf_get_stack, void *ctx, void *to, __u32 size, __u64 flags);
PERF_HELPER(__u64, bpf_get_attach_cookie, void *ctx);
