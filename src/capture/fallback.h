/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fallbacks when the kernel rejects an attr: which bits are dropped, and in which order.
 *
 * The order is: kernel mode for ordinary users; precision; the CPU clock instead of cycles;
 * features for which the kernel is too old, the newest first; the distinction of hosts and guests.
 * One struct is passed from event to event, because a feature that the kernel lacks for one event
 * is also missing for the next.
 */
#include <stdbool.h>

struct attr;
struct event;

struct fallback {
	/* set by the caller: the CPU clock may replace cycles if there are no counters */
	bool clock_for_cycles;
	bool without_pmu;      /* it has done so */
	bool without_kernel;   /* an ordinary user gets user mode only */
	bool without_deferred; /* stacks are taken at once, because the kernel cannot defer them */
	/* bits of features for which this kernel is too old; see fallback.c */
	unsigned lacks;
};

/* Drops from @a the features that the kernel lacked for an earlier event. */
void fallback_begin(const struct fallback *f, struct attr *a);

/*
 * Drops from @e's attr what may be the reason for @error, and notes in its name the mode that still
 * counts (":u"). @wanted is the attr before the first call; parts to which the user has no right
 * are removed from it, too. False: there is nothing left to drop.
 */
bool fallback_next(struct fallback *f, struct event *e, struct attr *wanted, int error);

/* True if @error means that this machine cannot count the event for any user. */
bool fallback_is_unsupported(int error);
