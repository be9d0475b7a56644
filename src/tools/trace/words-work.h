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
