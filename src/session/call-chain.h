/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a sample as addresses: without the markers that the kernel puts between kernel and
 * user frames, with the caller that frame pointers leave out on aarch64 (session/leaf-caller.h),
 * and with the user's frames where those are to be unwound (session/stack-unwind.h) or came later
 * (session/deferred-chains.h).
 */
#include <stddef.h>
#include <stdint.h>

#include "session/call-sites.h"
#include "session/leaf-caller.h"
#include "session/machine.h"

struct sample;
struct session;
struct stack_unwinder;

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
