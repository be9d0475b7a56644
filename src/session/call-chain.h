/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a sample as addresses: without the markers that the kernel puts between kernel and
 * user frames; with the caller that frame pointers leave out on aarch64 (session/call-chain.h); and
 * with the user's frames if those have to be unwound (session/stack-unwind.h) or came later
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
 * frame record that the frame pointer points to. On aarch64 a function that has stored no record (a
 * leaf, or a function at its very beginning or end) still has its caller's frame pointer, so the
 * record holds the caller's caller. The caller itself is in the link register, which `record -g`
 * samples for this reason. Only the unwind rules of the code show whether that is so.
 */

/*
 * One thread's cache of facts about code, because programs are sampled at the same places
 * repeatedly. `struct leaf_memo m = { 0 };` is empty.
 */
struct leaf_memo {
	struct leaf_place *places; /* by address, the last one used; NULL: none yet */
	struct sample_arch arch;
	struct span span; /* the caller sets it to SPAN_ALWAYS; times for which answers hold */
};

void leaf_memo_done(struct leaf_memo *m);

/*
 * True if a frame is missing after the chain's @i-th entry, the first user frame of @sample, which
 * was taken at @time. *@ret is then an address in the call (return addresses are after it). Any
 * thread may call this, with a memo of its own. One of the equal frames of a recursion may be
 * missed.
 */
bool leaf_caller(const struct session *s, struct leaf_memo *m, const struct sample *sample,
		 size_t i, uint64_t time, uint64_t *ret);

/*
 * True if the entry after the chain's @i-th, the first user frame of @sample, is not the caller: on
 * aarch64 Go makes a frame record for some functions before it calls them, and that record holds
 * their return address (arch/code-frame.h).
 */
bool leaf_next_is_callees(const struct session *s, struct leaf_memo *m, const struct sample *sample,
			  size_t i, uint64_t time);

struct chain_entry {
	uint64_t ip;
	enum address_mode mode;
	/*
	 * it follows an entry of its mode, which it called or interrupted: session/call-sites.h
	 * tells which
	 */
	bool is_return;
	bool is_cookie; /* no address: the cookie of a deferred stack that stays separate */
};

/*
 * A stack, innermost first. `struct call_chain c = { 0 };` is empty; one object is used for many
 * samples.
 */
struct call_chain {
	struct chain_entry *items;
	size_t n, room;
	struct leaf_memo memo;
	struct call_memo calls;          /* see session/call-sites.h */
	struct stack_unwinder *unwinder; /* NULL: nothing has been unwound yet */
	struct {
		uint64_t *items;
		size_t n, room;
	} merged; /* a stack with its deferred part */
};

void call_chain_done(struct call_chain *c);

/*
 * Puts the first @max entries of @sample's stack, taken at @time, into @c. The caller that frame
 * pointers leave out is added to these; unwound frames are at most @max too.
 */
void call_chain_take(struct call_chain *c, const struct session *s, const struct sample *sample,
		     uint64_t time, size_t max);

/* Finds the mode of the entries after the PERF_CONTEXT_* marker; false: unknown marker. */
bool call_chain_marker(uint64_t marker, enum address_mode *ret);
