/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the programs of lock.bpf.c have left in their maps, as rows of tools/lock/lock-bpf.h.
 * Nothing here asks the kernel.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "tools/lock/lock-bpf.h"

/* Waits that have not ended, added up by row. */
struct bpf_lock_open_waits {
	struct u64_map rows;
	struct bpf_lock_open_sum {
		uint64_t n, total_ns, max_ns, min_ns;
	} * *sums; /* owned */
	size_t n, room;
};

/* Adds @w, which lasts until @now_ns; one that is none (begin 0, or no lock) adds nothing. */
void bpf_lock_open_waits_add(struct bpf_lock_open_waits *o, const struct bpf_lock_wait *w,
			     uint64_t now_ns);

/* Those of row @row, or NULL. */
const struct bpf_lock_open_sum *bpf_lock_open_waits_of(const struct bpf_lock_open_waits *o,
						       uint32_t row);
void bpf_lock_open_waits_done(struct bpf_lock_open_waits *o);

/*
 * Fills *@ret in but for its counts; it refers to @info, of which there are @size bytes, and makes
 * its texts end.
 */
void bpf_lock_row_make(const struct bpf_lock_key *key, struct bpf_lock_info *info, size_t size,
		       struct bpf_lock_row *ret);

/* Adds up the counts of @n CPUs and the open waits @open, which may be NULL. */
void bpf_lock_row_count(struct bpf_lock_row *row, const struct bpf_lock_counts *counts, size_t n,
			const struct bpf_lock_open_sum *open);
