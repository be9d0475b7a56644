/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The calls that the function_graph tracer recorded: a record when a function is entered and one
 * when it returns, which has both times.
 *
 * So a call is complete in one record, whatever is nested in it and whatever was lost before; only
 * of functions that do not return there is nothing.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoint/field.h"

struct diag;

/* Where it is in records, from the texts of events/ftrace/funcgraph_{entry,exit}/format. */
struct graph_layout {
	uint64_t entry_id, exit_id;
	struct field_ref type, func, calltime, rettime;
};

/* -EBADMSG with @diag: the formats lack something. @entry may be NULL. */
int graph_layout_parse(const char *entry, const char *exit, struct graph_layout *ret,
		       struct diag *diag);

/* Who is told of calls. */
struct graph_listener {
	void (*call)(void *arg, uint64_t func, uint64_t duration_ns);
	void *arg;
};

struct graph_counts {
	uint64_t entries, calls;
	uint64_t lost;      /* records that were overwritten before they were read, */
	uint64_t lost_gaps; /* and how often some were of which the number is not known */
	uint64_t damaged;   /* pages that make no sense */
};

/* Takes the page of @size bytes. O(records). */
void graph_page_take(const struct graph_layout *l, const void *page, size_t size,
		     const struct graph_listener *listener, struct graph_counts *counts);

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
