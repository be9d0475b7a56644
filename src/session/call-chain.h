/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a sample as addresses: without the markers that the kernel puts between kernel and
 * user frames, with the caller that frame pointers leave out on aarch64 (session/call-chain.h),
 * and with the user's frames where those are to be unwound (session/stack-unwind.h) or came later
 * (session/deferred-chains.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/call-sites.h"
#include "session/machine.h"
#include "session/sample-arch.h"
#include "session/span.h"

struct sample;
struct session;
struct stack_unwinder;

/*
 * The caller that frame pointers leave out.
 *
 * The kernel takes the first user frame of a stack from the program counter and the next from the
 * frame record that the frame pointer points to. On aarch64 a function that has stored no record
 * (a leaf, or one at its very beginning or end) still has its caller's frame pointer, so that the
 * record tells the caller's caller; the caller itself is in the link register, which `record -g`
 * samples for this reason. Only the unwind rules of the code tell whether that is so.
 */

/*
 * What one thread remembers of the code it asked about: programs are sampled at the same places
 * over and over. `struct leaf_memo m = { 0 };` knows nothing.
 */
struct leaf_memo {
	struct leaf_place *places; /* by address, the last; NULL: none yet */
	struct sample_arch arch;
	struct span span; /* the asker sets it to SPAN_ALWAYS: times at which answers hold */
};

void leaf_memo_done(struct leaf_memo *m);

/*
 * Whether a frame is missing behind the chain's @i-th entry, the first user frame of @sample, which
 * is of @time. If so, *@ret is an address in the call (return addresses are behind it). Any thread
 * may ask, with a memo of its own. Of the equal frames of a recursion one may go unseen.
 */
bool leaf_caller(const struct session *s, struct leaf_memo *m, const struct sample *sample,
		 size_t i, uint64_t time, uint64_t *ret);

/*
 * Whether the entry behind the chain's @i-th, the first user frame of @sample, is not the caller:
 * on aarch64 Go makes a frame record for some functions before it calls them, which tells where
 * they will return to (arch/code-frame.h).
 */
bool leaf_next_is_callees(const struct session *s, struct leaf_memo *m, const struct sample *sample,
			  size_t i, uint64_t time);

struct chain_entry {
	uint64_t ip;
	enum address_mode mode;
	bool is_return; /* it comes behind another one of its mode, which it called or which
			   interrupted it: session/call-sites.h tells which */
	bool is_cookie; /* no address: what a deferred stack is known by, where those stay apart */
};

/* Innermost first. `struct call_chain c = { 0 };` is empty; one is used for many samples. */
struct call_chain {
	struct chain_entry *items;
	size_t n, room;
	struct leaf_memo memo;
	struct call_memo calls;          /* session/call-sites.h */
	struct stack_unwinder *unwinder; /* NULL: nothing was unwound yet */
	struct {
		uint64_t *items;
		size_t n, room;
	} merged; /* a stack with its deferred part */
};

void call_chain_done(struct call_chain *c);

/*
 * Puts the first @max entries of @sample's stack, taken at @time, into @c. The caller that frame
 * pointers leave out comes in addition; of frames that are unwound there are at most @max as well.
 */
void call_chain_take(struct call_chain *c, const struct session *s, const struct sample *sample,
		     uint64_t time, size_t max);

/* The mode of the entries behind the PERF_CONTEXT_* marker; false: unknown marker. */
bool call_chain_marker(uint64_t marker, enum address_mode *ret);
