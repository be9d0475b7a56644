/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf trace -e` selects: system calls by name, pattern or group, and any other event in the
 * same list.
 *
 *	-e 'open*,%network,sched:sched_switch/nr=2/' --filter COND -G CGROUP
 *
 * A filter belongs to what the -e before it names. A cgroup before all events is for the calls,
 * too; one behind events is for these alone.
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
	uint64_t *wanted[SYSCALL_N_ABIS]; /* of which calls */
};

struct trace_selection {
	bool takes_calls;                 /* calls are shown */
	bool names_calls;                 /* only some of them: */
	uint64_t *wanted[SYSCALL_N_ABIS]; /* a bit for each number */
	struct {
		struct trace_call_filter *items;
		size_t n, room;
	} filters;
	const char *cgroup; /* that the calls are limited to; or NULL */

	struct event_words events; /* the others, with their filters and cgroups */
	struct {
		char **items;
		size_t n, room;
	} texts; /* that the words borrow */
};

/*
 * Sorts @typed, which was given as -e, --filter and -G, into calls and events. Without names of
 * calls all are meant if there are no events either, or if @takes_calls says so; CHOICE_NO: none.
 * -EINVAL with @diag: no such call, or a filter that belongs to nothing.
 */
int trace_select(const struct event_words *typed, enum choice takes_calls,
		 struct trace_selection *ret, struct diag *diag);
void trace_selection_done(struct trace_selection *s);

/* Is call @nr of @abi in the set? @wanted NULL: all are. */
bool trace_set_has(uint64_t *const wanted[SYSCALL_N_ABIS], unsigned abi, int32_t nr);
