/* SPDX-License-Identifier: MIT */
/*
 * The same as allocations.c in today's form, for kernels without kprobes: the tracepoint
 * kmem:kmem_cache_alloc tells its caller. It is a filter: allocations of others make no sample.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* The first and the last address of the caller: map:caller.value[0]=...,map:caller.value[1]=... */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, int);
	__type(value, __u64);
} caller SEC(".maps");

/* /sys/kernel/tracing/events/kmem/kmem_cache_alloc/format */
struct allocation {
	__u64 common;
	__u64 call_site;
};

SEC("tp/kmem/kmem_cache_alloc")
int only_caller(struct allocation *a)
{
	int low = 0, high = 1;
	__u64 *first = bpf_map_lookup_elem(&caller, &low);
	__u64 *last = bpf_map_lookup_elem(&caller, &high);

	return first && last && a->call_site >= *first && a->call_site <= *last;
}

char _license[] SEC("license") = "GPL";
