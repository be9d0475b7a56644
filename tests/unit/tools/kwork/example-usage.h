/* SPDX-License-Identifier: MIT */
#pragma once
/* Switches and interrupts made by hand, for the model of what CPUs do with their time. */
#include <string.h>

#include "tools/kwork/usage-model.h"

static const struct kwork_classes usage_classes = { { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_SCHED }, 3 };

static inline void switched(struct kwork_usage *u, uint64_t time, uint32_t cpu, uint32_t from,
			    uint32_t to, const char *comm)
{
	const struct sched_event e = { .time = time,
				       .cpu = cpu,
				       .tid = from,
				       .next_tid = to,
				       .comm = { "old", 3 },
				       .next_comm = { comm, (uint32_t)strlen(comm) } };

	kwork_usage_switch(u, &e);
}

static inline void interrupted(struct kwork_usage *u, enum kwork_class class, uint32_t tid,
			       uint64_t begin, uint64_t end)
{
	struct kwork_event e = { .class = class, .role = KWORK_BEGIN, .time = begin };

	kwork_usage_interrupt(u, &e, tid);
	e.role = KWORK_END;
	e.time = end;
	kwork_usage_interrupt(u, &e, tid);
}
