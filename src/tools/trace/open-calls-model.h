/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Calls that have begun and not ended yet, at most one of each task: task->open_call.
 *
 * Those that wait, and of which nothing was shown yet, are in a list of their own.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tools/trace/kept-call-model.h"

struct open_call_link {
	struct open_call *before, *after;
};

struct open_call_list {
	struct open_call *first, *last;
};

struct open_call {
	struct kept_call kept;
	bool is_wanted; /* its beginning may be shown */
	bool is_shown;  /* it was */
	bool is_waiting;
	uint64_t waits_since_ns;
	struct open_call_link open, waiting;
};

/* All zero: none. */
struct open_calls {
	struct open_call_list open, waiting; /* in the order in which they began; began to wait */
	struct open_call *unused;            /* a list by open.after */
};

void open_calls_done(struct open_calls *l);

/* The task of @c is in the call @c, which is copied. It is in no other one. */
struct open_call *open_calls_add(struct open_calls *l, const struct trace_call *c);

/* The call has ended, or nobody will tell its end. */
void open_calls_remove(struct open_calls *l, struct open_call *o);

/* @o waits since @time_ns; or does not any more. */
void open_calls_waits(struct open_calls *l, struct open_call *o, uint64_t time_ns);
void open_calls_no_longer_waits(struct open_calls *l, struct open_call *o);

/* The one that began first, or waits longest; NULL: none. */
static inline struct open_call *open_calls_first(const struct open_calls *l)
{
	return l->open.first;
}

static inline struct open_call *open_calls_waiting(const struct open_calls *l)
{
	return l->waiting.first;
}
