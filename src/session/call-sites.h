/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the entries of a stack are addresses of, and whether functions that were inlined there are
 * to be seen.
 *
 * Who unwinds a stack, perf itself, gives an address inside of each call, at which functions are
 * inlined as they were when it was made. The kernel, which follows frame pointers, gives the
 * address that the call returns to, which may be of another line and another function: as Linux's
 * perf does it, such stacks are shown as they are unless inlined functions were asked for.
 */
#include <stdbool.h>

#include "session/machine.h"

struct attr;
struct call_chain;

enum inlines {
	INLINES_UNWOUND, /* in stacks that perf unwound, of programs */
	INLINES_ALL,
	INLINES_NONE,
};

/*
 * Whether user stacks of @attr's samples are unwound, now or when they were recorded: the kernel
 * was told not to follow them.
 */
bool stacks_are_unwound(const struct attr *attr);

/* Whose inlined functions stacks of @attr's samples show, where @which are asked for. */
enum inlines inlines_of(enum inlines which, const struct attr *attr);

/* Whether an entry in @mode shows them. */
static inline bool inlines_are_shown(enum inlines which, enum address_mode mode)
{
	return which == INLINES_ALL || (which == INLINES_UNWOUND && mode == ADDRESS_USER);
}

/* Makes the return addresses in @c, of a sample of @attr, addresses inside of the calls. */
void call_chain_enter_calls(struct call_chain *c, const struct attr *attr);
