/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Parses the selection of `perf trace -e`: system calls by name, pattern or group, and any other
 * event in the same list.
 *
 *	-e 'open*,%network,sched:sched_switch/nr=2/' --filter COND -G CGROUP
 *
 * A filter applies to the names in the preceding -e. A cgroup in front of all events also applies
 * to the calls; a cgroup after events applies only to these.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"
#include "base/choice.h"
#include "measure/event-words.h"

struct diag;

/* A condition on the arguments of some calls. */
struct trace_call_filter {
	const char *text;                 /* borrowed */
	uint64_t *wanted[SYSCALL_N_ABIS]; /* a bit for each call to which it applies */
};

struct trace_selection {
	bool takes_calls;                 /* calls are shown */
	bool names_calls;                 /* only some of them */
	uint64_t *wanted[SYSCALL_N_ABIS]; /* a bit for each number */
	struct {
		struct trace_call_filter *items;
		size_t n, room;
	} filters;
	const char *cgroup; /* the cgroup of the calls; or NULL */

	struct event_words events; /* other events, with their filters and cgroups */
	struct {
		char **items;
		size_t n, room;
	} texts; /* borrowed by the words */
};

/*
 * Separates @typed, the arguments of -e, --filter and -G, into calls and events. If no calls are
 * named, all calls are selected if there are no events either, or if @takes_calls is CHOICE_YES;
 * CHOICE_NO: none. Returns -EINVAL with @diag if a call does not exist, or if a filter applies to
 * nothing.
 */
int trace_select(const struct event_words *typed, enum choice takes_calls,
		 struct trace_selection *ret, struct diag *diag);
void trace_selection_done(struct trace_selection *s);

/* True if call @nr of @abi is in the set. @wanted NULL: all calls are. */
bool trace_set_has(uint64_t *const wanted[SYSCALL_N_ABIS], unsigned abi, int32_t nr);
