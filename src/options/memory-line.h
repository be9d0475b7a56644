/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Builds the part of a command line for `perf record` that samples accesses to memory. `perf mem
 * record` and `perf c2c record` have it in common.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/option.h"
#include "event/memory-events.h"

struct invocation;

struct memory_line_opts {
	const char *event; /* tags of events separated by ',', "list", or NULL: all needed */
	bool has_latency;
	uint64_t latency;
	bool all_kernel, all_user;
	unsigned verbose;
};

/* Sets the latency, and has_latency too. */
option_set_fn memory_latency_set;

/* Options over a struct memory_line_opts; the letters differ from command to command. */
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
 * Runs `perf record` so that it samples @accesses. The words are -d, -W if loads are among the
 * accesses, the events, @more (words up to NULL) and the words that the user typed. If the list of
 * events is requested, it prints that instead. Returns the exit status.
 */
int memory_line_run(struct invocation *inv, const struct memory_line_opts *o, unsigned accesses,
		    const char *const *more);
