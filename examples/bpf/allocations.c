/* SPDX-License-Identifier: MIT */
/*
 * Allocations of one caller in the kernel: a program at the function kmem_cache_alloc() that tells
 * only of calls from one range of addresses. README.md says how it is run.
 *
 * It is written in the form of the first BPF events of perf: maps are structs of numbers in the
 * section "maps", and the section of a program is the definition of a probe.
 */
#include <linux/bpf.h>
#include <uapi/linux/ptrace.h>

#define SEC(name) __attribute__((section(name), used))

struct bpf_map_def {
	unsigned int type, key_size, value_size, max_entries;
};

static void *(*map_lookup)(struct bpf_map_def *map,
			   const void *key) = (void *)BPF_FUNC_map_lookup_elem;
static long (*probe_read)(void *to, __u32 size,
			  const void *from) = (void *)BPF_FUNC_probe_read_kernel;
static long (*perf_event_output)(void *ctx, struct bpf_map_def *map, __u64 flags, void *data,
				 __u64 size) = (void *)BPF_FUNC_perf_event_output;

/* Where samples go: -e bpf-output/no-inherit,name=evt/ -e ./allocations.c/map:channel.event=evt/ */
struct bpf_map_def SEC("maps") channel = {
	.type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
	.key_size = sizeof(int),
	.value_size = sizeof(__u32),
	.max_entries = __NR_CPUS__,
};

/* The first and the last address of the caller: map:caller.value[0]=...,map:caller.value[1]=... */
struct bpf_map_def SEC("maps") caller = {
	.type = BPF_MAP_TYPE_ARRAY,
	.key_size = sizeof(int),
	.value_size = sizeof(__u64),
	.max_entries = 2,
};

/* Linux 6.10 renamed the function. */
#if LINUX_VERSION_CODE >= 0x060a00
#define FUNCTION "kmem_cache_alloc_noprof"
#else
#define FUNCTION "kmem_cache_alloc"
#endif

/* At the first instruction of a function: in the link register, or on top of the stack. */
static __u64 return_address(struct pt_regs *ctx)
{
#if defined(__TARGET_ARCH_arm64)
	return ctx->regs[30];
#else
	__u64 addr = 0;

	probe_read(&addr, sizeof(addr), (void *)ctx->sp);
	return addr;
#endif
}

SEC("func=" FUNCTION)
int func(struct pt_regs *ctx)
{
	int low = 0, high = 1;
	__u64 *first = map_lookup(&caller, &low), *last = map_lookup(&caller, &high);
	__u64 from = return_address(ctx);

	if (!first || !last || from < *first || from > *last)
		return 0;
	perf_event_output(ctx, &channel, BPF_F_CURRENT_CPU, &from, sizeof(from));
	/* 0: the probe itself makes no sample. */
	return 0;
}

char _license[] SEC("license") = "GPL";
int _version SEC("version") = LINUX_VERSION_CODE;
