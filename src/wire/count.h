/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What read() on an event gives: its count, and for how long it was enabled and really running.
 *
 * perf_event_read() in the kernel writes 64-bit words in the order that attr.read_format says.
 */
#include <stddef.h>
#include <stdint.h>

struct count {
	uint64_t value;
	uint64_t enabled,
		running; /* nanoseconds; they differ when events take turns on the counters */
};

/* How many bytes a read of @n events (1 without PERF_FORMAT_GROUP) has. */
size_t count_read_size(uint64_t read_format, size_t n);

/*
 * Decodes @size bytes that read() gave for a single event, or for a group of @n into counts[0..n).
 * -EBADMSG: too short, or another number of events.
 */
int count_decode(const void *bytes, size_t size, uint64_t read_format, struct count *counts,
		 size_t n);
