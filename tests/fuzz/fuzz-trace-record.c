/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the records of the BPF programs of perf trace: decoding and merging stay within the bytes.
 *
 * Input: the bytes of a ring, up to two blocks.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tools/trace/decode-bpf.h"
#include "tools/trace/rings-bpf.h"

#define SIZE (2 * TRACE_BLOCK)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int take(void *arg, const struct trace_record *record, size_t size, unsigned cpu)
{
	struct call_event e;
	uint64_t sum = cpu;

	if (trace_decode(arg, record, size, &e) < 0)
		return 0;
	for (size_t i = 0; i < e.n_data; i++)
		for (size_t k = 0; k < e.data[i].size; k++)
			sum += e.data[i].bytes[k];
	for (size_t i = 0; i < e.n_frames; i++)
		sum += e.frames[i];
	sum += e.comm ? strlen(e.comm) : 0;
	sum += e.fd_path ? strlen(e.fd_path) : 0;
	__asm__ volatile("" : : "r"(sum));
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size > SIZE ? SIZE : size;
	_cleanup_(freep) struct trace_ring *ring = calloc(1, sizeof(*ring) + n);
	_cleanup_(freep) struct trace_decoder *decoder = calloc(1, sizeof(*decoder));
	_cleanup_(trace_rings_freep) struct trace_rings *rings = NULL;

	if (!ring || !decoder)
		abort();
	memcpy(ring->bytes, data, n);
	ring->head = n / 8 * 8;
	rings = trace_rings_new(ring, 1, 0, SIZE);
	return trace_rings_read(rings, UINT64_MAX, UINT64_MAX, take, decoder);
}
