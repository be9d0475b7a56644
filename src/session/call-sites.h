/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the entries of a stack are addresses of, and whether functions that were inlined there are
 * to be seen.
 *
 * Who unwinds a stack, perf itself, gives an address inside of each call, at which functions are
 * inlined as they were when it was made. The kernel, which follows frame pointers, gives the
 * address that the call returns to. That may be of another line, and of another function if the
 * call never returns. So a caller's function and line are looked up right before that address,
 * while the address is shown as it was recorded; it is another one only where inlined functions
 * were asked for, as Linux's perf does it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/machine.h"

struct attr;
struct call_chain;
struct session;

/* What one thread remembers of the entries it asked about. `{ 0 }` knows nothing. */
struct call_memo {
	struct call_place *places; /* NULL: none yet */
};

void call_memo_done(struct call_memo *m);

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

/*
 * To be told of the stack of a sample of @attr once it was taken: a user stack that was unwound
 * when it was recorded has addresses inside of the calls.
 */
void call_chain_mark_unwound(struct call_chain *c, const struct attr *attr);

/*
 * Whether entry @i of @c, which is of process @pid at @time, is what a call returns to, so that the
 * call lies right before it. It is not where a mode was interrupted, where handlers of signals
 * return to, and what an exception of the kernel interrupted. Behind a handler arm64's kernel tells
 * what was in the link register, which is one only behind a call.
 */
bool call_chain_is_call(struct call_chain *c, const struct session *s, uint32_t pid, uint64_t time,
			size_t i);

/* Makes the return addresses in @c addresses inside of the calls. */
void call_chain_enter_calls(struct call_chain *c, const struct session *s, uint32_t pid,
			    uint64_t time);

/* Whether handlers of signals return to @loc: the kernel's vdso has it, or the C library. */
struct location;
bool location_ends_handlers(const struct session *s, const struct location *loc);
