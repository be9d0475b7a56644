/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * AUX records by what they tell of: the stretches of each CPU's and of each thread's trace.
 *
 * A stretch that begins before the end of an earlier one is left out, so that no byte is in two of
 * them, whatever the records say. `struct aux_writes a = { 0 };` has none.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "hwtrace/decoder.h"

struct aux_writes {
	struct u64_map of_cpu, of_thread; /* struct write_list */
	size_t n;                         /* records that were added */
};

/* Adds those of the @n records @w that came since the last time: there are only ever more. */
void aux_writes_add(struct aux_writes *a, const struct aux_write *w, size_t n);
void aux_writes_done(struct aux_writes *a);

/*
 * The stretches of @cpu, or if that is AUX_NONE of thread @tid, that begin at @offset or behind it,
 * in order; they are valid until the next is added. *@ret_n is untouched if there are none. O(log).
 */
const struct aux_write *aux_writes_from(const struct aux_writes *a, uint32_t cpu, uint32_t tid,
					uint64_t offset, size_t *ret_n);
