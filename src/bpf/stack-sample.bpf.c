/* SPDX-License-Identifier: MIT */
/*
 * Samples whose user stack is unwound in the kernel: `perf record --call-graph bpf`.
 *
 * The program runs at each sample of an event that is opened to copy stacks. A sample that it can
 * unwind to the outermost function goes through its own ring buffer, and the kernel's sample is
 * dropped. Otherwise it returns 1, and the kernel writes its sample with the copy of the stack.
 */
#include "bpf/about.bpf.h"
#include "bpf/stack-sample-types.h"

const volatile struct stack_sample_constants constants = { 0 };

#include "bpf/unwind.bpf.h"

#define SAMPLE_IS_KERNELS 1
#define SAMPLE_IS_DONE    0

/* PERF_RECORD_MISC_KERNEL, PERF_RECORD_MISC_USER */
#define MISC_KERNEL 1
#define MISC_USER   2

struct perf_event {
	__u64 id;
	struct perf_event *parent;
} __attribute__((preserve_access_index));

struct perf_sample_data {
	__u64 period, addr;
} __attribute__((preserve_access_index));

/* The actual type of the context of such a program. */
struct bpf_perf_event_data_kern {
	void *regs;
	struct perf_sample_data *data;
	struct perf_event *event;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} samples SEC(".maps");

_Static_assert(sizeof(struct stack_sample) == sizeof(((struct unwind_state *)0)->head), "");

static __always_inline void fill(struct stack_sample *to, struct bpf_perf_event_data_kern *from,
				 _Bool is_user)
{
	struct perf_event *event = BPF_CORE_READ(from, event), *parent;
	struct perf_sample_data *data = BPF_CORE_READ(from, data);

	parent = BPF_CORE_READ(event, parent);
	to->stream_id = BPF_CORE_READ(event, id);
	to->id = parent ? BPF_CORE_READ(parent, id) : to->stream_id;
	to->period = BPF_CORE_READ(data, period);
	to->addr = BPF_CORE_READ(data, addr);
	bpf_probe_read_kernel(&to->ip, sizeof(to->ip),
			      (void *)((__u64)BPF_CORE_READ(from, regs) + constants.host.pc));
	to->time = bpf_ktime_get_ns();
	to->cpu = bpf_get_smp_processor_id();
	to->misc = is_user ? MISC_USER : MISC_KERNEL;
}

/* Takes the kernel's part of the stack as the first frames. */
static __always_inline void take_kernel(void *ctx, struct unwind_state *s)
{
	__u32 size = constants.max_kernel * 8;
	long n;

	if (constants.no_kernel || size > STACK_SAMPLE_KERNEL_MAX * 8)
		return;
	n = bpf_get_stack(ctx, s->frames, size, 0);
	if (n > 0 && n <= STACK_SAMPLE_KERNEL_MAX * 8)
		s->n = (__u32)n / 8;
}

static __always_inline _Bool put(struct unwind_state *s)
{
	__u64 flags = BPF_RB_NO_WAKEUP;
	__u32 n = s->n;

	if (n > UNWIND_FRAMES_MAX)
		return 0;
	if (bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA) >= constants.wakeup_bytes)
		flags = BPF_RB_FORCE_WAKEUP;
	return !bpf_ringbuf_output(&samples, s->head, sizeof(s->head) + n * 8, flags);
}

SEC("perf_event")
int stack_sample(void *ctx)
{
	struct bpf_perf_event_data_kern *from = ctx;
	struct unwind_state *s = unwind_begin();
	struct stack_sample *to;
	__u64 regs = (__u64)BPF_CORE_READ(from, regs);
	_Bool is_user = unwind_is_user(regs);
	int result;

	if (!s)
		return SAMPLE_IS_KERNELS;
	to = (struct stack_sample *)s->head;
	to->pid = s->pid;
	to->tid = s->tid;
	fill(to, from, is_user);
	if (!is_user)
		take_kernel(ctx, s);
	to->n_kernel = s->n;
	result = unwind_user(is_user ? regs : 0);
	if (result != UNWIND_DONE)
		return SAMPLE_IS_KERNELS;
	to->n_user = s->n - to->n_kernel;
	if (!put(s)) {
		unwind_count(UNWIND_NO_ROOM);
		return SAMPLE_IS_KERNELS;
	}
	return constants.is_test ? SAMPLE_IS_KERNELS : SAMPLE_IS_DONE;
}
