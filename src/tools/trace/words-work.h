/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events that perf trace opens as ring buffers: those of -e, page faults, the events that other
 * options need, and raw_syscalls:* if BPF programs do not watch calls or do not provide their
 * stacks.
 */
#include <stdbool.h>
#include <stddef.h>

#include "measure/event-words.h"

struct id_list;
struct trace_job;
struct trace_request;

struct trace_words {
	struct event_words events;
	struct {
		char **items;
		size_t n, room;
	} texts; /* owns the texts that @events borrows */
};

void trace_words_done(struct trace_words *w);

/*
 * Fills in @w. @left_out: processes whose tracepoints are not wanted. @with_bpf: BPF watches calls.
 */
void trace_words_make(struct trace_words *w, const struct trace_request *rq,
		      const struct id_list *left_out, bool with_bpf);

/* Finds the limits of nr= for @j, in the order in which events are opened. Errors with its diag. */
int trace_words_limits(const struct trace_words *w, struct trace_job *j);

/* True if stacks of calls are requested. */
bool trace_wants_stacks(const struct trace_request *rq);

/*
 * Makes filters of the kernel for the tracepoints raw_syscalls:*, so that unwanted calls are not
 * written to the ring buffers.
 */

struct trace_selection;

/*
 * Returns the condition for @s, for 64-bit programs of this machine, which also excludes the
 * processes @left_out. NULL: none is needed, or it would be longer than the kernel accepts. The
 * caller frees it. Calls that pass this filter must still be checked.
 */
char *trace_ring_filter(const struct trace_selection *s, const struct id_list *left_out);

/*
 * Returns "common_pid != 1 && common_pid != 2"; NULL: no process is left out. The caller frees it.
 */
char *trace_pid_filter(const struct id_list *left_out);
