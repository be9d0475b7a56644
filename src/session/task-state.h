/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The state in which a thread leaves a CPU: the prev_state of sched:sched_switch.
 *
 * The bits differ between kernels: 16 is Z (zombie) up to Linux 4.13 and X (dead) since then. So
 * the meaning of a bit is taken from the letters in the event's print fmt, which is untrusted text
 * from a recording.
 */
#include <stdint.h>

enum task_state {
	TASK_STATE_RUNNABLE, /* it was preempted, or gave way */
	TASK_STATE_SLEEPING, /* interruptible, or an idle kernel thread */
	TASK_STATE_BLOCKED,  /* uninterruptible */
	TASK_STATE_STOPPED,  /* stopped by a signal or debugger, or a parked kernel thread */
	TASK_STATE_DEAD,     /* it does not come back */
};

struct task_states {
	uint64_t bits[TASK_STATE_DEAD + 1]; /* the bits of each state */
};

/* Parses the states that @print_fmt names; if it names none, uses those of Linux 4.14 and later. */
void task_states_parse(const char *print_fmt, struct task_states *ret);

/*
 * Returns the state in @prev_state; if several bits are set, the strongest. Unknown bits are
 * ignored.
 */
enum task_state task_state_of(const struct task_states *s, uint64_t prev_state);
