/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that perf and kmem.bpf.c share to count the work of the kernel's memory allocators.
 */
#include "bpf/program-types.h"

/* Slots with the same hash. Their addresses fill a cache line. */
#define BPF_KMEM_SLOTS 8

/*
 * The number of frames of a stack that are kept. The innermost ones belong to the tracepoint
 * itself.
 */
#define BPF_KMEM_FRAMES 16

struct bpf_kmem_constants {
	struct program_targets targets;
	__u32 object_buckets, page_buckets; /* powers of two */
	__u32 rows_max;
};

/* The key by which allocations of pages are counted. */
struct bpf_kmem_page_key {
	__s32 stack; /* its id in the map `stacks`; below 0: unknown */
	__u32 order;
	__u32 gfp_flags;
	__s32 migratetype;
};

/* The counts of a row on a CPU. A row is a call site of objects or a key of pages. */
struct bpf_kmem_counts {
	__u64 allocations;
	__u64 bytes_requested, bytes_allocated;
	__u64 frees; /* frees of memory allocated since the beginning */
	__u64 bytes_freed;
	__u64 ping_pongs; /* frees on another CPU */
};

/* An object or page that is allocated. */
struct bpf_kmem_slot {
	__u64 time_ns;
	__u32 row;
	__u32 cpu;
	__u32 bytes_requested, bytes_allocated; /* sizes of an object */
};

struct bpf_kmem_bucket {
	__u64 addrs[BPF_KMEM_SLOTS]; /* addresses of objects or struct pages; 0: the slot is free */
	struct bpf_kmem_slot slots[BPF_KMEM_SLOTS];
};

/* Entries of the map `totals`. */
enum {
	BPF_KMEM_OTHER_NODE,   /* allocations of objects from another node than the CPU's */
	BPF_KMEM_UNKNOWN_FREE, /* frees of objects whose allocation was not seen */
	BPF_KMEM_FAILED,       /* failed allocations of pages, */
	BPF_KMEM_FAILED_PAGES, /* and the number of pages of these allocations */
	BPF_KMEM_FREE_ONLY,    /* frees of pages whose allocation was not seen */
	BPF_KMEM_FREE_ONLY_PAGES,
	BPF_KMEM_LOST_ROWS,    /* allocations not counted: no space for their row */
	BPF_KMEM_LOST_OBJECTS, /* allocations counted without their frees: no space */
	BPF_KMEM_LOST_PAGES,   /* likewise for pages */
	BPF_KMEM_LOST_STACKS,  /* allocations of pages without a stack: no space */
	BPF_KMEM_TOTALS,
};
