/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What perf and kmem.bpf.c agree on: what is counted of the kernel's memory allocators.
 */
#include "bpf/program-types.h"

/* Slots with the same hash: their addresses fill a cache line. */
#define BPF_KMEM_SLOTS 8

/* Frames of a stack that are kept. The innermost are those of the tracepoint itself. */
#define BPF_KMEM_FRAMES 16

struct bpf_kmem_constants {
	struct program_targets targets;
	__u32 object_buckets, page_buckets; /* powers of two */
	__u32 rows_max;
};

/* What a page is allocated by. */
struct bpf_kmem_page_key {
	__s32 stack; /* its id in the map `stacks`; below 0: not known */
	__u32 order;
	__u32 gfp_flags;
	__s32 migratetype;
};

/* The counts of a row, which is a call site of objects or a key of pages, on a CPU. */
struct bpf_kmem_counts {
	__u64 allocations;
	__u64 bytes_requested, bytes_allocated;
	__u64 frees; /* of what was allocated since the begin */
	__u64 bytes_freed;
	__u64 ping_pongs; /* frees on another CPU */
};

/* Something that is allocated. */
struct bpf_kmem_slot {
	__u64 time_ns;
	__u32 row;
	__u32 cpu;
	__u32 bytes_requested, bytes_allocated; /* of an object */
};

struct bpf_kmem_bucket {
	__u64 addrs[BPF_KMEM_SLOTS]; /* of objects, or of struct pages; 0: the slot is free */
	struct bpf_kmem_slot slots[BPF_KMEM_SLOTS];
};

/* Entries of the map `totals`. */
enum {
	BPF_KMEM_OTHER_NODE,   /* allocations of objects from another node than that of the CPU */
	BPF_KMEM_UNKNOWN_FREE, /* frees of objects that were not seen allocated */
	BPF_KMEM_FAILED,       /* allocations of pages that failed, */
	BPF_KMEM_FAILED_PAGES, /* and how many pages that would have been */
	BPF_KMEM_FREE_ONLY,    /* frees of pages that were not seen allocated, */
	BPF_KMEM_FREE_ONLY_PAGES,
	BPF_KMEM_LOST_ROWS,    /* allocations that are not counted: no room for their row */
	BPF_KMEM_LOST_OBJECTS, /* those that are counted, but not their free: no room */
	BPF_KMEM_LOST_PAGES,   /* the same of pages */
	BPF_KMEM_LOST_STACKS,  /* allocations of pages without a stack: no room */
	BPF_KMEM_TOTALS,
};
