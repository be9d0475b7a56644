/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Calls that have begun and not ended yet, at most one for each task: task->open_call.
 *
 * Calls that wait, and of which nothing was shown yet, are also in a list of their own.
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
	bool is_shown;  /* its beginning was shown */
	bool is_waiting;
	uint64_t waits_since_ns;
	struct open_call_link open, waiting;
};

/* The calls that have not ended. All zero: there are none. */
struct open_calls {
	struct open_call_list open, waiting; /* in the order of their beginnings; of their waits */
	struct open_call *unused;            /* a list linked by open.after */
};

void open_calls_done(struct open_calls *l);

/* Adds the call @c, which is copied. Its task must not be in another call. */
struct open_call *open_calls_add(struct open_calls *l, const struct trace_call *c);

/* Removes a call that has ended, or whose end will not be reported. */
void open_calls_remove(struct open_calls *l, struct open_call *o);

/* Note that @o waits since @time_ns, or that it no longer waits. */
void open_calls_waits(struct open_calls *l, struct open_call *o, uint64_t time_ns);
void open_calls_no_longer_waits(struct open_calls *l, struct open_call *o);

/* Return the call that began first, or that waits longest; NULL: none. */
static inline struct open_call *open_calls_first(const struct open_calls *l)
{
	return l->open.first;
}

static inline struct open_call *open_calls_waiting(const struct open_calls *l)
{
	return l->waiting.first;
}
