/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's ring buffers and the threads that empty them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "cli/option.h"

struct buffer_size {
	uint64_t data_pages; /* of the kernel's page size, a power of two; 0: unsaid */
	uint64_t aux_pages;
};

enum thread_layout_kind {
	THREADS_ONE, /* unsaid */
	THREADS_PER_CPU,
	THREADS_PER_CORE,
	THREADS_PER_PACKAGE,
	THREADS_PER_NUMA,
	THREADS_LISTED,
};

/* "cpus/affinity": the CPUs whose buffers one thread empties, and those it runs on. */
struct thread_mask {
	struct cpu_list cpus;
	struct cpu_list affinity;
};

struct thread_layout {
	enum thread_layout_kind kind;
	struct thread_mask *items; /* with THREADS_LISTED */
	size_t n, room;
};

struct buffer_opts {
	struct buffer_size size;
	uint64_t flush_bytes; /* 0: unsaid */
	struct thread_layout threads;
	int64_t realtime; /* a SCHED_FIFO priority; 0: none */
	bool no_buffering;
	bool overwrite;
};

/* Rows over a struct buffer_opts, with a heading. */
extern const struct option buffer_options[];

void buffer_opts_done(struct buffer_opts *b);
