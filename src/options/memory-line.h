/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The part of a command line for `perf record` that samples accesses to memory: what `perf mem
 * record` and `perf c2c record` have in common.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/option.h"
#include "event/memory-events.h"

struct invocation;

struct memory_line_opts {
	const char *event; /* tags of events with ',' between them, "list", or NULL: all needed */
	bool has_latency;
	uint64_t latency;
	bool all_kernel, all_user;
	unsigned verbose;
};

/* Sets has_latency, too. */
option_set_fn memory_latency_set;

/* Rows over a struct memory_line_opts; the letters differ from command to command. */
#define OPT_MEMORY_EVENT(T, f)                                                                     \
	OPT_STRING('e', "event", T, f.event, "event", "these events; -e list shows them all")
#define OPT_MEMORY_LATENCY(l, T, f)                                                                \
	OPT_CALL(l, "ldlat", T, f, "cycles",                                                       \
		 "only loads that take at least so long (default: 30)", .set = memory_latency_set, \
		 .flags = OPTION_NO_NEGATION)
#define OPT_MEMORY_KERNEL(l, T, f)                                                                 \
	OPT_FLAG(l, "all-kernel", T, f.all_kernel, "only accesses of the kernel")
#define OPT_MEMORY_USER(l, T, f) OPT_FLAG(l, "all-user", T, f.all_user, "only accesses of programs")
#define OPT_MEMORY_VERBOSE(T, f)                                                                   \
	OPT_COUNT('v', "verbose", T, f.verbose,                                                    \
		  "say more; with -e list, the events as record has them")

/*
 * Runs `perf record` for what samples @accesses: with -d, -W where loads are among them, the
 * events, @more (words up to NULL) and what the user typed. Or prints the list of events, if that
 * was asked for. Returns the exit status.
 */
int memory_line_run(struct invocation *inv, const struct memory_line_opts *o, unsigned accesses,
		    const char *const *more);
