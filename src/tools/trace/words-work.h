/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events that perf trace opens as ring buffers: those of -e, page faults, what other options
 * need, and raw_syscalls:* where BPF programs do not watch calls or have no stacks of them.
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
	} texts; /* that they borrow */
};

void trace_words_done(struct trace_words *w);

/* Fills in @w. @left_out: processes whose tracepoints are not wanted. @with_bpf: BPF watches calls.
 */
void trace_words_make(struct trace_words *w, const struct trace_request *rq,
		      const struct id_list *left_out, bool with_bpf);

/* Finds the limits of nr= for @j, in the order in which events are opened. Errors with its diag. */
int trace_words_limits(const struct trace_words *w, struct trace_job *j);

/* Are there to be stacks of calls? */
bool trace_wants_stacks(const struct trace_request *rq);

/*
 * Filters of the kernel for the tracepoints raw_syscalls:*, so that calls that nobody wants do not
 * come into the ring buffers.
 */

struct trace_selection;

/*
 * The condition for @s, of 64-bit programs of this machine, and that it is none of the processes
 * @left_out; NULL: none is needed, or it would be longer than the kernel takes. The caller frees
 * it. Calls that it lets through are still to be looked at.
 */
char *trace_ring_filter(const struct trace_selection *s, const struct id_list *left_out);

/* "common_pid != 1 && common_pid != 2"; NULL: nobody is left out. The caller frees it. */
char *trace_pid_filter(const struct id_list *left_out);
