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

/* One thread's cache of answers. `{ 0 }` is empty. */
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
 * Are the user stacks of @attr's samples unwound from copied memory, when read or while recording?
 * Then the kernel was told not to follow them.
 */
bool stacks_are_unwound(const struct attr *attr);

/* Which inlined functions the stacks of @attr's samples show, if @which are asked for. */
enum inlines inlines_of(enum inlines which, const struct attr *attr);

/* Are inlined functions shown at an entry in @mode? */
static inline bool inlines_are_shown(enum inlines which, enum address_mode mode)
{
	return which == INLINES_ALL || (which == INLINES_UNWOUND && mode == ADDRESS_USER);
}

/*
 * Call it once the stack of a sample of @attr was taken: a user stack that was unwound while
 * recording has addresses inside the calls.
 */
void call_chain_mark_unwound(struct call_chain *c, const struct attr *attr);

/*
 * Is entry @i of @c, of process @pid at @time, a return address, so that the call lies right
 * before it? It is not where code was interrupted, where signal handlers return to, or where an
 * exception interrupted the kernel. Behind a signal handler, arm64 kernels report the link
 * register, which is a return address only if a call lies before it.
 */
bool call_chain_is_call(struct call_chain *c, const struct session *s, uint32_t pid, uint64_t time,
			size_t i);

/* Turns the return addresses in @c into addresses inside the calls. */
void call_chain_enter_calls(struct call_chain *c, const struct session *s, uint32_t pid,
			    uint64_t time);

/* Is @loc the code that signal handlers return to (in the vdso, or in the C library)? */
struct location;
bool location_ends_handlers(const struct session *s, const struct location *loc);
