/* SPDX-License-Identifier: MIT */
#include "tools/trace/held-calls-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tools/trace/tasks-model.h"

#define HELD_MAX       8192
#define HELD_BYTES_MAX (16 << 20)

/*
 * The maximum distance between two readings of the clock, by the BPF program and by the sample, one
 * after the other in the same tracepoint. An interrupt may come between them.
 */
#define APART_MAX_NS 1000000

static void held_calls_free_call(struct held_call *h)
{
	kept_call_done(&h->kept);
	free(h);
}

void held_calls_done(struct held_calls *l)
{
	struct held_call *h;

	while ((h = l->first))
		held_calls_remove(l, h);
	while ((h = l->unused)) {
		l->unused = h->after;
		held_calls_free_call(h);
	}
}

void held_calls_add(struct held_calls *l, const struct trace_call *c)
{
	struct held_call *h = l->unused;

	if (h)
		l->unused = h->after;
	else
		h = xcalloc(1, sizeof(*h));
	kept_call_set(&h->kept, c);
	trace_task_pin(c->task);
	h->before = l->last;
	h->after = NULL;
	*(l->last ? &l->last->after : &l->first) = h;
	l->last = h;
	l->n++;
	l->n_bytes += kept_call_size(&h->kept);
}

void held_calls_remove(struct held_calls *l, struct held_call *h)
{
	*(h->before ? &h->before->after : &l->first) = h->after;
	*(h->after ? &h->after->before : &l->last) = h->before;
	trace_task_unpin(h->kept.call.task);
	l->n--;
	l->n_bytes -= kept_call_size(&h->kept);
	h->after = l->unused;
	l->unused = h;
}

bool held_calls_are_many(const struct held_calls *l)
{
	return l->n > HELD_MAX || l->n_bytes > HELD_BYTES_MAX;
}

struct held_call *held_calls_overdue(const struct held_calls *l, uint64_t time_ns)
{
	struct held_call *h = l->first;

	return h && time_ns > h->kept.call.exit_ns && time_ns - h->kept.call.exit_ns > APART_MAX_NS
		       ? h
		       : NULL;
}

static uint64_t held_calls_apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

struct held_call *held_calls_match(const struct held_calls *l, uint32_t tid, int32_t nr,
				   int64_t result, uint64_t time_ns)
{
	struct held_call *best = NULL;
	uint64_t nearest = APART_MAX_NS;

	for (struct held_call *h = l->first; h; h = h->after) {
		const struct trace_call *c = &h->kept.call;

		if (c->exit_ns > time_ns && c->exit_ns - time_ns > APART_MAX_NS)
			break;
		if (c->task->tid == tid && c->nr == nr && c->result == result &&
		    held_calls_apart(c->exit_ns, time_ns) <= nearest) {
			nearest = held_calls_apart(c->exit_ns, time_ns);
			best = h;
		}
	}
	return best;
}

struct held_call *held_calls_of_task(const struct held_calls *l, const struct trace_task *task)
{
	struct held_call *h = l->first;

	while (h && h->kept.call.task != task)
		h = h->after;
	return h;
}
