/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A page of the kernel's trace ring buffer, as per_cpu/cpuN/trace_pipe_raw gives it: a header and
 * records one behind the other. Documentation/trace/ring-buffer-map.rst and
 * include/linux/ring_buffer.h describe it.
 *
 *	u64 time of the first record
 *	u64 number of bytes used; bit 31: records were lost before this page; bit 30: how many
 *	    follows behind the last record
 *	records: u32 (5 bits: length in words, or a kind; 27 bits: time), then the record itself
 *
 * Pages come from the running kernel, so they are in our byte order. Times are not looked at.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring_page {
	const uint8_t *at, *end; /* of the records that are left */
	uint64_t lost;           /* records before this page */
	bool lost_some;          /* the kernel does not say how many */
};

struct ring_record {
	const uint8_t *bytes; /* in the page */
	size_t size;
};

/* Looks at the header of @size bytes. -EBADMSG: they are no page. */
int ring_page_open(const void *bytes, size_t size, struct ring_page *ret);

/* The next record; false at the end, or where the page makes no sense any more. */
bool ring_page_next(struct ring_page *p, struct ring_record *ret);
