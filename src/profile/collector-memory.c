/* SPDX-License-Identifier: MIT */
#include "profile/collector-memory.h"

#include "profile/collector-worker.h"
#include "session/session.h"

struct weight memory_weight(const struct sample *s)
{
	return (struct weight){ .period = s->weight ? s->weight : 1, .samples = 1 };
}

uint32_t memory_data(struct collector_worker *w, const struct collected *c)
{
	uint64_t addr = c->sample->addr;
	struct span span;

	if (!(c->event->attr.sample_type & PERF_SAMPLE_ADDR))
		return FRAME_NONE;
	/*
	 * The kernel also accesses the memory of processes, so the address decides, not the code
	 * that accessed it.
	 */
	return resolver_stack_frame(&w->resolver, c->task,
				    addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER, addr, c->time,
				    &span);
}
