/* SPDX-License-Identifier: MIT */
/*
 * Counts the work of the kernel's memory allocators, by call site.
 *
 * These tracepoints are hit hundreds of thousands of times a second, in any context. All maps are
 * therefore allocated beforehand, and no lock is taken. Allocations are kept in a table of buckets
 * with a few slots each. The program that sees an allocation takes a slot with one atomic
 * instruction, and nobody else has that address until it is freed. A full bucket means a loss,
 * which is counted.
 */
#include <linux/bpf.h>
#include <stddef.h>

#include <bpf/bpf_core_read.h>

#include "bpf/about.bpf.h"
#include "bpf/targets.bpf.h"
#include "tools/kmem/bpf-types.h"

#define KERNEL __attribute__((preserve_access_index))

#define NO_ROW (~0U)

const volatile struct bpf_kmem_constants constants = { 0 };

struct kmem_cache {
	unsigned int size, object_size;
} KERNEL;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_kmem_bucket);
} objects SEC(".maps"), pages SEC(".maps");

/* Map a key to the index of its counts. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} sites SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct bpf_kmem_page_key);
	__type(value, __u32);
} page_keys SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_kmem_counts);
} site_counts SEC(".maps"), page_counts SEC(".maps");

/* The number of indices of counts that are in use: of sites, and of keys of pages. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} next_row SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, BPF_KMEM_FRAMES * sizeof(__u64));
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BPF_KMEM_TOTALS);
	__type(key, __u32);
	__type(value, __u64);
} totals SEC(".maps");

TARGET_PROGRAMS(&constants.targets)

/*
 * Adds atomically, because an interrupt may come between reading and writing and change the same
 * count.
 */
static __always_inline void add(__u64 *count, __u64 n)
{
	__sync_fetch_and_add(count, n);
}

static __always_inline void add_total(__u32 which, __u64 n)
{
	__u64 *total = bpf_map_lookup_elem(&totals, &which);

	if (total)
		add(total, n);
}

/* Returns the index of @key in @map, a new one if it is not there. NO_ROW: the map is full. */
static __always_inline __u32 row_of(void *map, const void *key, __u32 kind)
{
	__u32 *found = bpf_map_lookup_elem(map, key), *next, row;

	if (found)
		return *found;
	next = bpf_map_lookup_elem(&next_row, &kind);
	if (!next || *next >= constants.rows_max)
		return NO_ROW;
	row = __sync_fetch_and_add(next, 1);
	if (row < constants.rows_max && !bpf_map_update_elem(map, key, &row, BPF_NOEXIST))
		return row;
	/* Another CPU has added the key first. */
	found = bpf_map_lookup_elem(map, key);
	return found ? *found : NO_ROW;
}

/* The place of an allocation: its address, and the slot with its other data. */
struct place {
	__u64 *addr; /* NULL: there is no place */
	struct bpf_kmem_slot *slot;
};

/*
 * Returns the place of @addr in a bucket. If it is not there and @take is set, takes a free place
 * for it.
 */
static __always_inline struct place place_in(struct bpf_kmem_bucket *b, __u64 addr, _Bool take)
{
#pragma unroll
	for (int i = 0; i < BPF_KMEM_SLOTS; i++)
		if (b->addrs[i] == addr)
			return (struct place){ &b->addrs[i], &b->slots[i] };
	if (!take)
		return (struct place){ 0 };
#pragma unroll
	for (int i = 0; i < BPF_KMEM_SLOTS; i++)
		if (!b->addrs[i] && !__sync_val_compare_and_swap(&b->addrs[i], 0, addr))
			return (struct place){ &b->addrs[i], &b->slots[i] };
	return (struct place){ 0 };
}

/*
 * Does the same in a table of @n buckets. An address that does not fit into its bucket is in the
 * adjacent one.
 */
static __always_inline struct place place_of(void *map, __u32 n, __u64 addr, _Bool take)
{
	__u32 i = (__u32)((addr * 0x9e3779b97f4a7c15ULL) >> 32) & (n - 1);
	struct bpf_kmem_bucket *b = bpf_map_lookup_elem(map, &i);
	struct place p = { 0 };

	if (b)
		p = place_in(b, addr, take);
	if (p.addr)
		return p;
	i ^= 1;
	b = bpf_map_lookup_elem(map, &i);
	if (b)
		p = place_in(b, addr, take);
	return p;
}

static __always_inline void remember(void *map, __u32 n, __u64 addr, __u32 row, __u32 requested,
				     __u32 allocated, __u32 loss)
{
	struct place p = place_of(map, n, addr, 1);

	if (!p.addr) {
		add_total(loss, 1);
		return;
	}
	p.slot->time_ns = bpf_ktime_get_ns();
	p.slot->row = row;
	p.slot->cpu = bpf_get_smp_processor_id();
	p.slot->bytes_requested = requested;
	p.slot->bytes_allocated = allocated;
}

static __always_inline void object_allocated(__u64 call_site, __u64 ptr, __u64 requested,
					     __u64 allocated, __s32 node)
{
	struct bpf_kmem_counts *c;
	__u32 row;

	if (!is_target(&constants.targets))
		return;
	row = row_of(&sites, &call_site, 0);
	c = bpf_map_lookup_elem(&site_counts, &row);
	if (!c) {
		add_total(BPF_KMEM_LOST_ROWS, 1);
		return;
	}
	add(&c->allocations, 1);
	add(&c->bytes_requested, requested);
	add(&c->bytes_allocated, allocated);
	if (node >= 0 && node != bpf_get_numa_node_id())
		add_total(BPF_KMEM_OTHER_NODE, 1);
	if (ptr)
		remember(&objects, constants.object_buckets, ptr, row, (__u32)requested,
			 (__u32)allocated, BPF_KMEM_LOST_OBJECTS);
}

/* Counts the free for the call site that allocated the object, whichever code frees it. */
static __always_inline void object_freed(__u64 ptr)
{
	struct bpf_kmem_counts *c;
	struct place p;
	__u32 row;

	if (!ptr)
		return;
	p = place_of(&objects, constants.object_buckets, ptr, 0);
	if (!p.addr) {
		if (is_target(&constants.targets))
			add_total(BPF_KMEM_UNKNOWN_FREE, 1);
		return;
	}
	row = p.slot->row;
	c = bpf_map_lookup_elem(&site_counts, &row);
	if (c) {
		add(&c->frees, 1);
		add(&c->bytes_freed, p.slot->bytes_allocated);
		if (p.slot->cpu != bpf_get_smp_processor_id())
			add(&c->ping_pongs, 1);
	}
	*p.addr = 0;
}

/*
 * Arguments are numbers here. With types (tp_btf), older verifiers do not permit reading a `const
 * void *`, and new ones do not permit calculating with the address of a page.
 */

/* kmalloc(call_site, ptr, bytes_req, bytes_alloc, gfp_flags, node), since Linux 6.1 */
SEC("raw_tp/kmalloc")
int on_kmalloc(struct bpf_raw_tracepoint_args *ctx)
{
	const __u64 *args = ctx->args;

	object_allocated(args[0], args[1], args[2], args[3], (__s32)args[5]);
	return 0;
}

/* kmem_cache_alloc(call_site, ptr, cache, gfp_flags, node), since Linux 6.1 */
SEC("raw_tp/kmem_cache_alloc")
int on_cache_alloc(struct bpf_raw_tracepoint_args *ctx)
{
	const __u64 *args = ctx->args;
	const struct kmem_cache *cache = (const struct kmem_cache *)args[2];

	object_allocated(args[0], args[1], BPF_CORE_READ(cache, object_size),
			 BPF_CORE_READ(cache, size), (__s32)args[4]);
	return 0;
}

/* kfree(call_site, ptr), kmem_cache_free(call_site, ptr, ...) */
SEC("raw_tp/kfree")
int on_kfree(struct bpf_raw_tracepoint_args *ctx)
{
	object_freed(ctx->args[1]);
	return 0;
}

SEC("raw_tp/kmem_cache_free")
int on_cache_free(struct bpf_raw_tracepoint_args *ctx)
{
	object_freed(ctx->args[1]);
	return 0;
}

/* mm_page_alloc(page, order, gfp_flags, migratetype) */
SEC("raw_tp/mm_page_alloc")
int on_page_alloc(struct bpf_raw_tracepoint_args *ctx)
{
	const __u64 *args = ctx->args;
	struct bpf_kmem_page_key key = { .order = (__u32)args[1],
					 .gfp_flags = (__u32)args[2],
					 .migratetype = (__s32)args[3] };
	struct bpf_kmem_counts *c;
	__u64 page = args[0];
	__u32 row;

	if (!is_target(&constants.targets))
		return 0;
	if (!page) {
		add_total(BPF_KMEM_FAILED, 1);
		add_total(BPF_KMEM_FAILED_PAGES, 1ULL << (key.order & 63));
		return 0;
	}
	key.stack = (__s32)bpf_get_stackid(ctx, &stacks, 0);
	if (key.stack < 0) {
		key.stack = -1;
		add_total(BPF_KMEM_LOST_STACKS, 1);
	}
	row = row_of(&page_keys, &key, 1);
	c = bpf_map_lookup_elem(&page_counts, &row);
	if (!c) {
		add_total(BPF_KMEM_LOST_ROWS, 1);
		return 0;
	}
	add(&c->allocations, 1);
	remember(&pages, constants.page_buckets, page, row, 0, 0, BPF_KMEM_LOST_PAGES);
	return 0;
}

/* mm_page_free(page, order) */
SEC("raw_tp/mm_page_free")
int on_page_free(struct bpf_raw_tracepoint_args *ctx)
{
	const __u64 *args = ctx->args;
	__u64 page = args[0];
	struct place p = place_of(&pages, constants.page_buckets, page, 0);
	struct bpf_kmem_counts *c;
	__u32 row;

	if (!p.addr) {
		if (!is_target(&constants.targets))
			return 0;
		add_total(BPF_KMEM_FREE_ONLY, 1);
		add_total(BPF_KMEM_FREE_ONLY_PAGES, 1ULL << (args[1] & 63));
		return 0;
	}
	row = p.slot->row;
	c = bpf_map_lookup_elem(&page_counts, &row);
	if (c)
		add(&c->frees, 1);
	*p.addr = 0;
	return 0;
}
