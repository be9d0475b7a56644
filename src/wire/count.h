/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decodes the result of read() on an event: its count, and the times for which it was enabled and
 * actually running.
 *
 * perf_event_read() in the kernel writes 64-bit words in the order defined by attr.read_format.
 */
#include <stddef.h>
#include <stdint.h>

struct count {
	uint64_t value;
	uint64_t enabled, running; /* nanoseconds; they differ if events share counters in turns */
};

/* Returns the size of a read of @n events (1 without PERF_FORMAT_GROUP). */
size_t count_read_size(uint64_t read_format, size_t n);

/*
 * Decodes @size bytes from read(), for a single event, or for a group of @n, into counts[0..n).
 * Returns -EBADMSG if they are too short, or for another number of events.
 */
int count_decode(const void *bytes, size_t size, uint64_t read_format, struct count *counts,
		 size_t n);
