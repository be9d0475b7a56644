/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings with a hardware trace: Arm SPE, whose PMU is the type of the recording's events, and
 * whose ticks are nanoseconds.
 */
#include "recording.h"

#include "hwtrace/itrace.h"

static const struct itrace all_accesses = { .first_level = true };

__attribute__((unused)) static void trace_info_of(struct recording *rec, uint32_t type, size_t n)
{
	const uint64_t words[] = { PERF_TYPE_SOFTWARE, 1 };

	add(rec,
	    (struct record){ .header.type = PERF_RECORD_AUXTRACE_INFO,
			     .auxtrace_info = { .type = type,
						.priv = { (const uint8_t *)words, n, false } } },
	    0);
}

/* One tick is a nanosecond. */
__attribute__((unused)) static void trace_info(struct recording *rec)
{
	rec->traces = &all_accesses;
	add(rec,
	    (struct record){ .header.type = PERF_RECORD_TIME_CONV,
			     .time_conv = { .time_mult = 1, .cap_user_time_zero = true } },
	    0);
	trace_info_of(rec, AUXTRACE_ARM_SPE, 2);
}

/* Writes a load that hit the first level of caches, at tick @time < 256, by thread @tid. */
#define LOAD_SIZE 18
__attribute__((unused)) static void put_load(uint8_t bytes[LOAD_SIZE], uint8_t time, uint8_t tid)
{
	const uint8_t load[LOAD_SIZE] = { 0x64, tid,  0, 0, 0, 0x42, 0x04, 0x49, 0,
					  0x71, time, 0, 0, 0, 0,    0,    0,    0 };

	memcpy(bytes, load, LOAD_SIZE);
}

__attribute__((unused)) static void trace_data(struct recording *rec, uint32_t queue,
					       const uint8_t *bytes, size_t size)
{
	add(rec,
	    (struct record){
		    .header.type = PERF_RECORD_AUXTRACE,
		    .auxtrace = { .size = size, .idx = queue, .tid = UINT32_MAX, .cpu = queue } },
	    0);
	bytes_add(&rec->records, bytes, size);
}

/* Adds a piece of @queue with loads at these ticks, in the order of @times, which ends with 0. */
__attribute__((unused)) static void trace_loads(struct recording *rec, uint32_t queue,
						const uint8_t *times)
{
	uint8_t bytes[16 * LOAD_SIZE];
	size_t n = 0;

	for (; times[n]; n++)
		put_load(&bytes[n * LOAD_SIZE], times[n], 7);
	trace_data(rec, queue, bytes, n * LOAD_SIZE);
}
