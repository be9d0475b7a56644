/* SPDX-License-Identifier: MIT */
/*
 * Drops the samples that a filter excludes: a program of a perf event that returns 0 for them, so
 * that the kernel writes none (bpf/sample-filter.h).
 *
 * `filter_sample` sees everything that the kernel has gathered for the sample. This needs Linux
 * 6.3, which gathers it before the program runs. `filter_context` needs only the values that every
 * kernel gives to programs of perf events: registers, period and address.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/about.bpf.h"
#include "bpf/sample-filter-types.h"

#define KERNEL __attribute__((preserve_access_index))

/* From linux/perf_event.h: sample_flags has a bit for each value that is present. */
#define SAMPLE_IP (1 << 0)

union perf_sample_weight {
	__u64 full;
} KERNEL;

union perf_mem_data_src {
	__u64 val;
} KERNEL;

struct perf_sample_data {
	__u64 sample_flags;
	__u64 period;
	struct {
		__u32 pid, tid;
	} tid_entry;
	__u64 time;
	__u64 id;
	struct {
		__u32 cpu, reserved;
	} cpu_entry;
	__u64 ip;
	union perf_sample_weight weight;
	union perf_mem_data_src data_src;
	__u64 txn;
	__u64 cgroup;
	__u64 addr;
	__u64 phys_addr;
	__u64 data_page_size;
	__u64 code_page_size;
} KERNEL;

struct perf_event {
	__u64 id;
	struct perf_event *parent;
} KERNEL;

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
	struct perf_event *event;
} KERNEL;

extern void *bpf_cast_to_kern_ctx(void *) __ksym __weak;

const volatile struct sample_filter_constants constants;

/* The ids of events, and the ids under which their filters are stored. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u64);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct shared_filter);
} filters SEC(".maps");

/* The number of samples that were excluded by a program that is not shared. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} dropped SEC(".maps");

/*
 * Reads a word of struct bpf_perf_event_data: 34 registers on arm64 or 21 on x86, period, address.
 */
#define CONTEXT_WORD(ctx, arm64, x86)                                                              \
	({                                                                                         \
		__u64 word_;                                                                       \
		/* The verifier requires offsets in the instruction, but clang would compute them. \
		 */                                                                                \
		if (constants.is_x86)                                                              \
			asm volatile("%0 = *(u64 *)(%1 + " #x86 ")" : "=r"(word_) : "r"(ctx));     \
		else                                                                               \
			asm volatile("%0 = *(u64 *)(%1 + " #arm64 ")" : "=r"(word_) : "r"(ctx));   \
		word_;                                                                             \
	})

/* Returns a value that every kernel provides. */
static __always_inline __u64 context_value(void *ctx, __u32 term)
{
	switch (term) {
	case DATA_FILTER_IP:
		return CONTEXT_WORD(ctx, 256, 128);
	case DATA_FILTER_PERIOD:
		return CONTEXT_WORD(ctx, 272, 168);
	case DATA_FILTER_ADDR:
		return CONTEXT_WORD(ctx, 280, 176);
	case DATA_FILTER_TID:
		return (__u32)bpf_get_current_pid_tgid();
	case DATA_FILTER_PID:
		return bpf_get_current_pid_tgid() >> 32;
	case DATA_FILTER_CPU:
		return bpf_get_smp_processor_id();
	case DATA_FILTER_UID:
		return (__u32)bpf_get_current_uid_gid();
	case DATA_FILTER_GID:
		return bpf_get_current_uid_gid() >> 32;
	default:
		return 0;
	}
}

/* Returns a field of union perf_mem_data_src, given by its first bit and the number of bits. */
static __always_inline __u64 bits(__u64 word, int first, int n)
{
	return word >> first & ((1U << n) - 1);
}

static __always_inline __u64 memory_value(__u64 word, __u32 term)
{
	switch (term) {
	case DATA_FILTER_MEM_OP:
		return bits(word, 0, 5);
	case DATA_FILTER_MEM_LEVEL:
		return bits(word, 33, 4);
	case DATA_FILTER_MEM_SNOOP:
		return bits(word, 19, 5) | bits(word, 38, 2) << 5;
	case DATA_FILTER_MEM_REMOTE:
		return bits(word, 37, 1);
	case DATA_FILTER_MEM_LOCK:
		return bits(word, 24, 2);
	case DATA_FILTER_MEM_TLB:
		return bits(word, 26, 7);
	case DATA_FILTER_MEM_BLOCK:
		return bits(word, 40, 3);
	default:
		return bits(word, 43, 3);
	}
}

static __always_inline __u64 sample_value(void *ctx, struct perf_sample_data *data, __u32 term)
{
	switch (term) {
	case DATA_FILTER_IP:
		return data->sample_flags & SAMPLE_IP ? data->ip : context_value(ctx, term);
	case DATA_FILTER_ID:
		return data->id;
	case DATA_FILTER_TID:
		return data->tid_entry.tid;
	case DATA_FILTER_PID:
		return data->tid_entry.pid;
	case DATA_FILTER_CPU:
		return data->cpu_entry.cpu;
	case DATA_FILTER_TIME:
		return data->time;
	case DATA_FILTER_ADDR:
		return data->addr;
	case DATA_FILTER_PERIOD:
		return data->period;
	case DATA_FILTER_TXN:
		return data->txn;
	case DATA_FILTER_WEIGHT:
		return data->weight.full;
	case DATA_FILTER_WEIGHT1:
		return (__u32)data->weight.full;
	case DATA_FILTER_WEIGHT2:
		return data->weight.full >> 32 & 0xffff;
	case DATA_FILTER_WEIGHT3:
		return data->weight.full >> 48;
	case DATA_FILTER_PHYS_ADDR:
		return data->phys_addr;
	case DATA_FILTER_CODE_PAGE_SIZE:
		return data->code_page_size;
	case DATA_FILTER_DATA_PAGE_SIZE:
		return data->data_page_size;
	case DATA_FILTER_CGROUP:
		return data->cgroup;
	case DATA_FILTER_UID:
	case DATA_FILTER_GID:
		return context_value(ctx, term);
	default:
		return memory_value(data->data_src.val, term);
	}
}

static __always_inline _Bool holds(__u64 is, __u32 op, __u64 wanted)
{
	switch (op) {
	case DATA_FILTER_EQ:
		return is == wanted;
	case DATA_FILTER_NE:
		return is != wanted;
	case DATA_FILTER_GT:
		return is > wanted;
	case DATA_FILTER_GE:
		return is >= wanted;
	case DATA_FILTER_LT:
		return is < wanted;
	case DATA_FILTER_LE:
		return is <= wanted;
	default:
		return (is & wanted) != 0;
	}
}

/* True if the sample passes the filter. @data is NULL if there is only the context. */
static __always_inline _Bool passes(void *ctx, struct perf_sample_data *data,
				    const volatile struct data_filter_items *f)
{
	_Bool hit = 0;

	for (__u32 i = 0; i < DATA_FILTER_ITEMS_MAX; i++) {
		const volatile struct data_filter_item *item = &f->items[i];
		__u32 term;

		if (i >= f->n)
			break;
		term = item->term;
		hit |= holds(data ? sample_value(ctx, data, term) : context_value(ctx, term),
			     item->op, item->value);
		if (!item->ends_group)
			continue;
		if (!hit)
			return 0;
		hit = 0;
	}
	return 1;
}

static __always_inline int verdict(_Bool passed)
{
	__u32 zero = 0;
	__u64 *count;

	if (passed)
		return 1;
	count = bpf_map_lookup_elem(&dropped, &zero);
	if (count)
		*count += 1;
	return 0;
}

/*
 * Applies a shared filter. Children of an inherited event have the filter of the event that was
 * opened.
 */
static __always_inline int filter_shared(void *ctx, struct bpf_perf_event_data_kern *kernel)
{
	struct perf_event *event = kernel->event, *parent = event->parent;
	__u64 id = parent ? parent->id : event->id;
	__u64 *first = bpf_map_lookup_elem(&events, &id);
	struct shared_filter *f = first ? bpf_map_lookup_elem(&filters, first) : 0;

	if (!f || passes(ctx, kernel->data, &f->filter))
		return 1;
	__sync_fetch_and_add(&f->dropped, 1);
	return 0;
}

SEC("perf_event")
int perf_sample_filter(void *ctx)
{
	struct bpf_perf_event_data_kern *kernel = bpf_cast_to_kern_ctx(ctx);

	if (constants.is_shared)
		return filter_shared(ctx, kernel);
	return verdict(passes(ctx, kernel->data, &constants.filter));
}

SEC("perf_event")
int filter_context(void *ctx)
{
	return verdict(passes(ctx, 0, &constants.filter));
}
