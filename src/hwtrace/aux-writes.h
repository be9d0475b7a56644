/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * AUX records by CPU and thread: the ranges of each CPU's and of each thread's trace.
 *
 * A range that begins before the end of an earlier one is left out, so no byte is in two of them,
 * whatever the records contain. `struct aux_writes a = { 0 };` has none.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "hwtrace/decoder.h"

struct aux_writes {
	struct u64_map of_cpu, of_thread; /* struct write_list */
	size_t n;                         /* records that were added */
};

/* Adds those of the @n records @w that are new since the last call: their number only grows. */
void aux_writes_add(struct aux_writes *a, const struct aux_write *w, size_t n);
void aux_writes_done(struct aux_writes *a);

/*
 * Returns the ranges of @cpu, or if that is AUX_NONE of thread @tid, that begin at @offset or after
 * it, in order; they are valid until the next is added. *@ret_n is untouched if there are none.
 * O(log).
 */
const struct aux_write *aux_writes_from(const struct aux_writes *a, uint32_t cpu, uint32_t tid,
					uint64_t offset, size_t *ret_n);
