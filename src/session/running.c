/* SPDX-License-Identifier: MIT */
#include "session/running.h"

#include <stdlib.h>

#include "base/memory.h"
#include "wire/record.h"

/* What a record claims is no reason to make an array of 4 billion CPUs. */
#define CPUS_MAX (1u << 16)

void running_done(struct running *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i].items);
	free(r->items);
}

static void session_running_add(struct running *r, uint32_t cpu, uint64_t time, uint32_t pid,
				uint32_t tid)
{
	struct running_cpu *c;
	struct running_switch *s;

	if (cpu >= CPUS_MAX)
		return;
	while (r->n <= cpu)
		ARRAY_ADD(r);
	c = &r->items[cpu];
	s = ARRAY_ADD(c);
	*s = (struct running_switch){ .time = time, .turn = r->turns++, .pid = pid, .tid = tid };
	c->unsorted |= c->n > 1 && time < c->items[c->n - 2].time;
}

void running_add(struct running *r, const struct record *rec, uint64_t time)
{
	bool out = rec->header.misc & PERF_RECORD_MISC_SWITCH_OUT;

	switch (rec->header.type) {
	case PERF_RECORD_SWITCH:
		if (!out)
			session_running_add(r, rec->id.cpu, time, rec->id.pid, rec->id.tid);
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		/* Who leaves tells who comes; who comes is in the trailer. */
		if (out)
			session_running_add(r, rec->id.cpu, time, rec->context_switch.next_prev_pid,
					    rec->context_switch.next_prev_tid);
		else
			session_running_add(r, rec->id.cpu, time, rec->id.pid, rec->id.tid);
		break;
	default:
		break;
	}
}

static int running_by_time(const void *a, const void *b)
{
	const struct running_switch *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

void running_settle(struct running *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct running_cpu *c = &r->items[i];

		if (c->unsorted)
			qsort(c->items, c->n, sizeof(c->items[0]), running_by_time);
		c->unsorted = false;
	}
}

bool running_at(const struct running *r, uint32_t cpu, uint64_t time, uint32_t *ret_pid,
		uint32_t *ret_tid)
{
	const struct running_cpu *c = cpu < r->n ? &r->items[cpu] : NULL;
	size_t low = 0, high = c ? c->n : 0;

	/* The first that is later than @time. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->items[mid].time <= time)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	*ret_pid = c->items[low - 1].pid;
	*ret_tid = c->items[low - 1].tid;
	return true;
}
