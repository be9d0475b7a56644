/* SPDX-License-Identifier: MIT */
#include "tools/lock/rows-bpf.h"

#include <stdlib.h>

#include "base/memory.h"

void bpf_lock_open_waits_done(struct bpf_lock_open_waits *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->sums[i]);
	free(o->sums);
	u64_map_done(&o->rows);
	*o = (struct bpf_lock_open_waits){ 0 };
}

static struct bpf_lock_open_sum *lock_rows_sum_of(struct bpf_lock_open_waits *o, uint32_t row)
{
	struct bpf_lock_open_sum *sum = u64_map_find(&o->rows, row);

	if (sum)
		return sum;
	sum = xcalloc(1, sizeof(*sum));
	sum->min_ns = UINT64_MAX;
	o->sums = array_reserve(o->sums, &o->room, o->n + 1, sizeof(*o->sums));
	o->sums[o->n++] = sum;
	u64_map_put(&o->rows, row, sum);
	return sum;
}

void bpf_lock_open_waits_add(struct bpf_lock_open_waits *o, const struct bpf_lock_wait *w,
			     uint64_t now_ns)
{
	struct bpf_lock_open_sum *sum;
	uint64_t ns = now_ns > w->begin_ns ? now_ns - w->begin_ns : 0;

	if (!w->begin_ns || !w->addr)
		return;
	sum = lock_rows_sum_of(o, w->row);
	sum->n++;
	sum->total_ns += ns;
	sum->max_ns = ns > sum->max_ns ? ns : sum->max_ns;
	sum->min_ns = ns < sum->min_ns ? ns : sum->min_ns;
}

const struct bpf_lock_open_sum *bpf_lock_open_waits_of(const struct bpf_lock_open_waits *o,
						       uint32_t row)
{
	return u64_map_find(&o->rows, row);
}

void bpf_lock_row_make(const struct bpf_lock_key *key, struct bpf_lock_info *info, size_t size,
		       struct bpf_lock_row *ret)
{
	size_t head = offsetof(struct bpf_lock_info, stack);
	size_t room = size > head ? (size - head) / sizeof(info->stack[0]) : 0;
	size_t n = info->stack_bytes / sizeof(info->stack[0]);

	info->comm[sizeof(info->comm) - 1] = '\0';
	info->cache[sizeof(info->cache) - 1] = '\0';
	*ret = (struct bpf_lock_row){
		.is_futex = key->is_futex,
		.flags = info->flags,
		.op = info->op,
		.value = info->value,
		.pid = info->pid,
		.tid = info->tid,
		.addr = info->addr,
		.cgroup = info->cgroup,
		.name = info->name < BPF_LOCK_NAMES ? info->name : BPF_LOCK_UNNAMED,
		.cache = info->cache,
		.comm = info->comm,
		.stack = (const uint64_t *)info->stack,
		.n_stack = n < room ? n : room,
	};
}

void bpf_lock_row_count(struct bpf_lock_row *row, const struct bpf_lock_counts *counts, size_t n,
			const struct bpf_lock_open_sum *open)
{
	uint64_t min = open ? open->min_ns : UINT64_MAX;

	row->waits = row->open = open ? open->n : 0;
	row->total_ns = open ? open->total_ns : 0;
	row->max_ns = open ? open->max_ns : 0;
	for (size_t i = 0; i < n; i++) {
		if (!counts[i].waits)
			continue;
		row->waits += counts[i].waits;
		row->total_ns += counts[i].total_ns;
		row->max_ns = counts[i].max_ns > row->max_ns ? counts[i].max_ns : row->max_ns;
		min = ~counts[i].max_inverse < min ? ~counts[i].max_inverse : min;
	}
	row->min_ns = row->waits ? min : 0;
}
