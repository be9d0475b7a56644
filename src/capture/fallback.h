/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fallbacks when the kernel refuses an attr: which bits are dropped, and in which order.
 *
 * Kernel mode for ordinary users; precision; the CPU clock instead of cycles; what the kernel is
 * too old for, the newest first; the distinction of hosts and guests. One struct goes from event
 * to event: what the kernel lacks for one, it lacks for the next.
 */
#include <stdbool.h>

struct attr;
struct event;

struct fallback {
	bool clock_for_cycles; /* given: without counters, the CPU clock may replace cycles */
	bool without_pmu;      /* it has done so */
	bool without_kernel;   /* an ordinary user gets user mode only */
	bool without_deferred; /* stacks are taken at once, as the kernel does not know later */
	unsigned lacks;        /* bits of what this kernel is too old for; see fallback.c */
};

/* Drops from @a what the kernel lacked for an event before it. */
void fallback_begin(const struct fallback *f, struct attr *a);

/*
 * Drops from @e's attr what may be the reason for @error, and says in its name what no longer
 * counts (":u"). @wanted is the attr before the first call; what a user has no right to is taken
 * out of it too. false: there is nothing left to drop.
 */
bool fallback_next(struct fallback *f, struct event *e, struct attr *wanted, int error);

/* Does @error mean that this machine cannot count the event, whoever asks? */
bool fallback_is_unsupported(int error);
