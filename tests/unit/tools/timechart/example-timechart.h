/* SPDX-License-Identifier: MIT */
#pragma once
/* Events of the scheduler for time charts, as function calls: times are microseconds. */
#include <string.h>

#include "session/sched-event.h"
#include "tools/timechart/timechart-model.h"

#define US 1000

static inline struct sched_comm comm_of(const char *name)
{
	return (struct sched_comm){ name, (uint32_t)strlen(name) };
}

/* Returns the piece of @lane that contains @time; LANE_NONE: there is none. */
static inline uint32_t piece_at(const struct lane *lane, uint64_t time)
{
	for (uint32_t i = 0; i < lane->n; i++)
		if (lane->items[i].start <= time && time < lane_piece_end(lane, i))
			return i;
	return LANE_NONE;
}

/* Returns a name that follows from the number, so that most tests need no names. */
static inline const char *name_of(uint32_t tid)
{
	static const char *const names[] = { "swapper", "one", "two", "three", "four", "five" };

	return tid < 6 ? names[tid] : "many";
}

static inline void switch_at(struct chart *c, uint64_t us, uint32_t cpu, uint32_t prev,
			     enum task_state state, uint32_t next)
{
	const struct sched_event e = { .kind = SCHED_SWITCH,
				       .time = us * US,
				       .cpu = cpu,
				       .current_pid = prev,
				       .current_tid = prev,
				       .machine_tid = prev,
				       .tid = prev,
				       .comm = comm_of(name_of(prev)),
				       .state = state,
				       .next_tid = next,
				       .next_comm = comm_of(name_of(next)) };

	chart_sched(c, &e, prev ? 100 + prev : LANE_NONE);
}

static inline void wake_at(struct chart *c, uint64_t us, enum sched_kind kind, uint32_t waker,
			   uint32_t tid, uint32_t cpu)
{
	const struct sched_event e = { .kind = kind,
				       .time = us * US,
				       .cpu = cpu,
				       .machine_tid = waker,
				       .in_interrupt = !waker,
				       .tid = tid,
				       .comm = comm_of(name_of(tid)),
				       .target_cpu = cpu };

	chart_sched(c, &e, 200 + waker);
}
