/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events of the scheduler made by hand, for models that take them. Times are in microseconds, and
 * a task is its own process.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "session/sched-event.h"

#define US 1000

static inline struct sched_comm story_comm(const char *name)
{
	return (struct sched_comm){ name, (uint32_t)strlen(name) };
}

/* Returns a switch: @tid leaves @cpu in @state, and @next comes. */
static inline struct sched_event story_switch(uint64_t us, uint32_t cpu, uint32_t tid,
					      uint64_t state, uint32_t next)
{
	return (struct sched_event){ .kind = SCHED_SWITCH,
				     .time = us * US,
				     .cpu = cpu,
				     .current_pid = tid,
				     .current_tid = tid,
				     .tid = tid,
				     .comm = story_comm("prev"),
				     .prio = 120,
				     .prev_state = state,
				     .state = state & 0xff ? TASK_STATE_SLEEPING
							   : TASK_STATE_RUNNABLE,
				     .next_tid = next,
				     .next_comm = story_comm("next") };
}

/* Returns an event: @by, on @cpu, does something to @tid. */
static inline struct sched_event story_event(enum sched_kind kind, uint64_t us, uint32_t cpu,
					     uint32_t by, uint32_t tid)
{
	return (struct sched_event){ .kind = kind,
				     .time = us * US,
				     .cpu = cpu,
				     .current_pid = by,
				     .current_tid = by,
				     .tid = tid,
				     .comm = story_comm("woken"),
				     .target_cpu = cpu };
}
