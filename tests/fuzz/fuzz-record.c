/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes records of any type, in either byte order, with and without trailer: decoding stays within
 * the bytes, and a decoded record is the same after it is encoded and decoded again.
 *
 * Input: a byte (bit 0: swapped, bit 1: sample_id_all), u32 sample_type, u8 read_format, the
 * record.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "wire/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch_cpu(void *sum, int cpu)
{
	*(int64_t *)sum += cpu;
}

/* Calls the getters, which read bytes that the decoder only checked the bounds of. */
static void look_into(const struct record *r)
{
	int64_t sum = 0;

	if (r->header.type == PERF_RECORD_READ)
		for (size_t i = 0; i < r->read.n; i++)
			sum += (int64_t)(record_read_value(&r->read, i).value & 1);
	if (r->header.type == PERF_RECORD_THREAD_MAP)
		for (size_t i = 0; i < r->thread_map.n; i++)
			sum += (int64_t)strlen(record_thread_map_get(&r->thread_map, i).comm);
	if (r->header.type == PERF_RECORD_CPU_MAP)
		record_cpu_map_for_each(&r->cpu_map, touch_cpu, &sum);
	if (r->header.type == PERF_RECORD_BPF_EVENT)
		sum += r->bpf_event.tag[7];
	__asm__ volatile("" : : "r"(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size, false);
	uint8_t how = cursor_u8(&c);
	struct attr attr = { .sample_type = cursor_u32(&c), .read_format = cursor_u8(&c) };
	_cleanup_(bytes_done) struct bytes first = { 0 }, second = { 0 };
	struct record r;

	attr.sample_id_all = how >> 1 & 1;
	if (record_decode(c.at, cursor_left(&c), how & 1, &attr, &r) < 0)
		return 0;
	look_into(&r);
	if (record_encode(&r, &attr, &first) < 0)
		return 0;
	if (record_decode(first.data, first.n, false, &attr, &r) < 0)
		abort();
	look_into(&r);
	if (record_encode(&r, &attr, &second) < 0 || first.n != second.n ||
	    memcmp(first.data, second.data, first.n))
		abort();
	return 0;
}
