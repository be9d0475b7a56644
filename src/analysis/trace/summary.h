/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How often each call was made, how long it took and how often it failed: by thread, by cgroup, or
 * in all.
 *
 * It is filled by calls (trace_summary_add()) or by what BPF programs have counted
 * (trace_summary_merge()).
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct trace_call;
struct trace_summary;

enum trace_summary_mode {
	TRACE_SUMMARY_THREAD,
	TRACE_SUMMARY_TOTAL,
	TRACE_SUMMARY_CGROUP,
};

/* Row i counts calls that took 2^i to 2^(i+1) - 1 ns; row 0 also those of 0 ns. */
#define TRACE_SUMMARY_ROWS 40

struct trace_summary_errno {
	int error;
	uint64_t count;
};

struct trace_summary_call {
	uint8_t abi;
	int32_t nr;
	const char *name;
	uint64_t calls, errors;
	uint64_t total_ns, min_ns, max_ns;
	double mean_ns, m2; /* as of base/moments.h */
	uint64_t rows[TRACE_SUMMARY_ROWS];
	struct trace_summary_errno *errnos; /* the most frequent first */
	size_t n_errnos;
};

struct trace_summary_group {
	uint64_t id;                      /* a tid or a cgroup's id; 0 in all */
	const char *name;                 /* the task's or the cgroup's */
	uint64_t events;                  /* of all kinds, where that is known */
	struct trace_summary_call *calls; /* as they are shown */
	size_t n_calls;
};

struct trace_summary *trace_summary_new(enum trace_summary_mode mode);
void trace_summary_free(struct trace_summary *s);
DEFINE_FREEP(trace_summary)

/* Counts a call that has ended. */
void trace_summary_add(struct trace_summary *s, const struct trace_call *c);

/* Adds what was counted elsewhere for the call @c->nr of group @id. */
void trace_summary_merge(struct trace_summary *s, uint64_t id, const char *name,
			 const struct trace_summary_call *c);

/* Counts an event of the group that is no call; or the beginning of one. */
void trace_summary_event(struct trace_summary *s, uint64_t id, const char *name);

/* Puts everything into the order in which it is shown; valid until the next call is added. */
const struct trace_summary_group *trace_summary_groups(struct trace_summary *s, size_t *n);

/* The duration that @share (0 to 1) of the calls do not exceed, estimated from the rows. */
uint64_t trace_summary_quantile(const struct trace_summary_call *c, double share);
