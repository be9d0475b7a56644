/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes records into the ring of a CPU: begin_writing(), then reserve(), the record's bytes and
 * publish() for each record, end_writing(). The reader's side is tools/trace/rings-bpf.h.
 */
#include "tools/trace/bpf-types.h"

extern const volatile struct trace_constants constants;

/* A struct trace_ring for each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct trace_ring) + TRACE_RECORD_MAX);
} rings SEC(".maps");

/* Wakes the reader. The bytes in it are not used. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536); /* a multiple of the largest page size */
} wakeups SEC(".maps");

/*
 * The writer of a record: its ring, and the position of the space for the record. The reader sees
 * the record once its end is the head.
 */
struct writer {
	struct trace_ring *ring;
	__u64 end;
};

/* The maximum time for which a program may wait for space, with preemption disabled. */
#define WAIT_NS 20000

/*
 * Waits some microseconds for space, because the reader is on another CPU and may be just about to
 * make some. Not static, so that the verifier verifies it once, and not at every call.
 */
__noinline int wait_for_room(__u64 end)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct trace_ring *ring = bpf_map_lookup_elem(&rings, &cpu);
	__u64 begin_ns = bpf_ktime_get_ns();

	if (!ring)
		return 0;
	for (int i = 0; i < 256; i++) {
		if (end - *(volatile __u64 *)&ring->tail <= constants.ring_size)
			return 1;
		if (bpf_ktime_get_ns() - begin_ns > WAIT_NS)
			return 0;
	}
	return 0;
}

static __always_inline void wake_reader(struct trace_ring *ring, __u64 head)
{
	__u64 nothing = 0;

	if (head - ring->tail < constants.wake_at || ring->is_awake)
		return;
	ring->is_awake = 1;
	bpf_ringbuf_output(&wakeups, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

/* Notes an event for which a flight recorder must be read. */
static __noinline void trigger(void)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct trace_ring *ring = bpf_map_lookup_elem(&rings, &cpu);
	__u64 nothing = 0;

	if (!ring)
		return;
	ring->triggers++;
	bpf_ringbuf_output(&wakeups, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

/*
 * Returns space for @size bytes, at most TRACE_RECORD_MAX. NULL: there is none, which is counted.
 */
static __always_inline void *reserve(struct writer *w, __u32 size)
{
	struct trace_ring *ring = w->ring;
	__u64 head = ring->head;
	__u32 left = TRACE_BLOCK - (__u32)head % TRACE_BLOCK;
	__u32 padding = left < size ? left : 0;

	w->end = head + padding + size;
	if (!constants.keeps_newest && w->end - ring->tail > constants.ring_size) {
		wake_reader(ring, head);
		if (!wait_for_room(w->end)) {
			ring->lost++;
			return NULL;
		}
	}
	if (padding) {
		struct trace_record *pad = (void *)ring->bytes + (head & (constants.ring_size - 1));

		pad->size = padding;
		pad->kind = TRACE_PAD;
	}
	return (void *)ring->bytes + ((w->end - size) & (constants.ring_size - 1));
}

/* Publishes the record: every reader of the new head sees everything that was written before. */
static __always_inline void publish(struct writer *w)
{
	__sync_lock_test_and_set(&w->ring->head, w->end);
	if (!constants.keeps_newest)
		wake_reader(w->ring, w->end);
}

/*
 * Takes the ring of this CPU. False: it is being written to, which happens only on real-time
 * kernels.
 */
static __always_inline _Bool begin_writing(struct writer *w)
{
	__u32 cpu = bpf_get_smp_processor_id();

	w->ring = bpf_map_lookup_elem(&rings, &cpu);
	if (!w->ring)
		return 0;
	if (w->ring->is_busy) {
		__sync_fetch_and_add(&w->ring->lost, 1);
		return 0;
	}
	w->ring->is_busy = 1;
	return 1;
}

static __always_inline void end_writing(struct writer *w)
{
	w->ring->is_busy = 0;
}
