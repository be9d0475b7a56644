/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Calls that have ended and wait for the sample with their stack, in the order in which they ended.
 *
 * Samples can be lost, so no call waits forever: a call is overdue when samples that are clearly
 * younger have arrived, and the number of waiting calls is limited.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/trace/kept-call-model.h"

struct held_call {
	struct kept_call kept;
	struct held_call *before, *after;
};

/* The waiting calls. All zero: there are none. */
struct held_calls {
	struct held_call *first, *last;
	size_t n;
	size_t n_bytes; /* the size of the calls' data */
	struct held_call *unused;
};

void held_calls_done(struct held_calls *l);

/* Copies @c. Its task stays until the call is removed. */
void held_calls_add(struct held_calls *l, const struct trace_call *c);
void held_calls_remove(struct held_calls *l, struct held_call *h);

/* True if too many calls wait, so that the first one should be removed. */
bool held_calls_are_many(const struct held_calls *l);

static inline struct held_call *held_calls_first(const struct held_calls *l)
{
	return l->first;
}

/* Returns the first call if its sample should have arrived before @time_ns; NULL: none. */
struct held_call *held_calls_overdue(const struct held_calls *l, uint64_t time_ns);

/*
 * Returns the call @nr of thread @tid that returned @result and ended nearest to @time_ns. NULL:
 * none ended at about that time.
 */
struct held_call *held_calls_match(const struct held_calls *l, uint32_t tid, int32_t nr,
				   int64_t result, uint64_t time_ns);

/* Returns the first call of @task. */
struct held_call *held_calls_of_task(const struct held_calls *l, const struct trace_task *task);
