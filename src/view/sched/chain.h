/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a context switch in a line: "do_nanosleep <- hrtimer_nanosleep <- common_nsleep".
 * The scheduler's own functions, which all of them begin with, are left out; of other events
 * others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/call-chain.h"
#include "session/span.h"

struct session;
struct session_sample;
struct text;

#define SCHED_MAX_STACK 5

/* The name at an address of the kernel, for the times for which it holds. */
struct sched_chain_name {
	uint64_t ip;
	struct span span;
	const char *name; /* NULL: no name */
	bool is_return;
};

/* `struct sched_chain c = { .session = s, .max_stack = n };` */
struct sched_chain {
	const struct session *session;
	unsigned max_stack; /* frames that are looked at, behind the first two, which are the
			       scheduler */
	const char *hidden; /* a function that is left out; NULL: those of the scheduler */
	struct call_chain chain;
	struct sched_chain_name *names; /* a cache; NULL until it is needed */
};

void sched_chain_done(struct sched_chain *c);

/*
 * Appends the functions of the stack of @s to @t, each behind a blank, with "<- " between them.
 * Returns false, and appends nothing, if the sample has no stack.
 */
bool sched_chain_add(struct sched_chain *c, const struct session_sample *s, struct text *t);
