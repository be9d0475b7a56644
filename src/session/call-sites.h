/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kind of address that each entry of a stack is, and whether functions that were inlined there
 * are shown.
 *
 * If perf itself unwinds a stack, it gives an address inside each call, at which functions are
 * inlined as they were when the call was made. The kernel, which follows frame pointers, gives the
 * address to which the call returns. That may be of another line, and of another function if the
 * call never returns. So a caller's function and line are looked up directly before that address,
 * while the address is shown as it was recorded. As in Linux's perf, the shown address differs only
 * if inlined functions were requested.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/machine.h"

struct attr;
struct call_chain;
struct session;

/* One thread's cache of results. `{ 0 }` is empty. */
struct call_memo {
	struct call_place *places; /* NULL: none yet */
};

void call_memo_done(struct call_memo *m);

enum inlines {
	INLINES_UNWOUND, /* only in user stacks that perf unwound */
	INLINES_ALL,
	INLINES_NONE,
};

/*
 * True if the user stacks of @attr's samples are unwound from copied memory, when they are read or
 * while recording. Then the kernel was told not to follow them.
 */
bool stacks_are_unwound(const struct attr *attr);

/* Returns which inlined functions the stacks of @attr's samples show, if @which are requested. */
enum inlines inlines_of(enum inlines which, const struct attr *attr);

/* True if inlined functions are shown at an entry in @mode. */
static inline bool inlines_are_shown(enum inlines which, enum address_mode mode)
{
	return which == INLINES_ALL || (which == INLINES_UNWOUND && mode == ADDRESS_USER);
}

/*
 * Marks the entries of a user stack that was unwound while recording: its addresses are inside the
 * calls. To be called once the stack of a sample of @attr was taken.
 */
void call_chain_mark_unwound(struct call_chain *c, const struct attr *attr);

/*
 * True if entry @i of @c, of process @pid at @time, is a return address, so that the call is
 * directly before it. It is not one where code was interrupted, where signal handlers return to, or
 * where an exception interrupted the kernel. After a signal handler, arm64 kernels report the link
 * register, which is a return address only if a call precedes it.
 */
bool call_chain_is_call(struct call_chain *c, const struct session *s, uint32_t pid, uint64_t time,
			size_t i);

/* Turns the return addresses in @c into addresses inside the calls. */
void call_chain_enter_calls(struct call_chain *c, const struct session *s, uint32_t pid,
			    uint64_t time);

/* True if @loc is the code that signal handlers return to (in the vdso, or in the C library). */
struct location;
bool location_ends_handlers(const struct session *s, const struct location *loc);
