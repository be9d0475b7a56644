/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events of the scheduler made by hand, for models that take them.
 */
#include <string.h>

#include "session/sched-event.h"

__attribute__((unused)) static struct sched_comm example_comm(const char *name)
{
	return (struct sched_comm){ name, (uint32_t)strlen(name) };
}

/* Returns a switch: @prev leaves @cpu in @prev_state (0: it would continue), and @next comes. */
__attribute__((unused)) static struct sched_event
example_switched(uint64_t time, uint32_t cpu, uint32_t prev, uint64_t prev_state, uint32_t next)
{
	return (struct sched_event){ .kind = SCHED_SWITCH,
				     .time = time,
				     .cpu = cpu,
				     .tid = prev,
				     .comm = example_comm("prev"),
				     .prev_state = prev_state,
				     .state = prev_state & 0xff ? TASK_STATE_SLEEPING
								: TASK_STATE_RUNNABLE,
				     .next_tid = next,
				     .next_comm = example_comm("next") };
}

/* Returns an event of @kind about @tid, which happens on @cpu. */
__attribute__((unused)) static struct sched_event example_told(enum sched_kind kind, uint64_t time,
							       uint32_t cpu, uint32_t tid)
{
	return (struct sched_event){
		.kind = kind, .time = time, .cpu = cpu, .tid = tid, .comm = example_comm("task")
	};
}
