/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The calls that the function_graph tracer recorded: a record when a function is entered and one
 * when it returns, which has both times.
 *
 * So a call is complete in one record, whatever is nested in it and whatever was lost before; only
 * for functions that do not return there is no record.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoint/field.h"

struct diag;

/*
 * The positions of the fields in records, from the texts of
 * events/ftrace/funcgraph_{entry,exit}/format.
 */
struct graph_layout {
	uint64_t entry_id, exit_id;
	struct field_ref type, func, calltime, rettime;
};

/* Parses the formats. -EBADMSG with @diag: they lack something. @entry may be NULL. */
int graph_layout_parse(const char *entry, const char *exit, struct graph_layout *ret,
		       struct diag *diag);

/* The callback for calls. */
struct graph_listener {
	void (*call)(void *arg, uint64_t func, uint64_t duration_ns);
	void *arg;
};

struct graph_counts {
	uint64_t entries, calls;
	uint64_t lost;      /* records that were overwritten before they were read, */
	uint64_t lost_gaps; /* number of gaps with an unknown number of lost records */
	uint64_t damaged;   /* the number of malformed pages */
};

/* Takes the page of @size bytes. O(records). */
void graph_page_take(const struct graph_layout *l, const void *page, size_t size,
		     const struct graph_listener *listener, struct graph_counts *counts);

/*
 * A page of the kernel's trace ring buffer, as read from per_cpu/cpuN/trace_pipe_raw: a header and
 * consecutive records. Documentation/trace/ring-buffer-map.rst and include/linux/ring_buffer.h
 * describe it.
 *
 *	u64 time of the first record
 *	u64 number of bytes used; bit 31: records were lost before this page; bit 30: how many
 *	    follows behind the last record
 *	records: u32 (5 bits: length in words, or a kind; 27 bits: time), then the record itself
 *
 * Pages come from the running kernel, so they are in our byte order. Times are not decoded.
 */

struct ring_page {
	const uint8_t *at, *end; /* the remaining records */
	uint64_t lost;           /* number of records lost before this page */
	bool lost_some;          /* records were lost, in unknown number */
};

struct ring_record {
	const uint8_t *bytes; /* points into the page */
	size_t size;
};

/* Parses the header of @size bytes. -EBADMSG: they are not a page. */
int ring_page_open(const void *bytes, size_t size, struct ring_page *ret);

/* Gets the next record; false at the end, or if the rest of the page is malformed. */
bool ring_page_next(struct ring_page *p, struct ring_record *ret);
