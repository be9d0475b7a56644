/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Formats the stack of a context switch in one line: "do_nanosleep <- hrtimer_nanosleep <-
 * common_nsleep". The scheduler's own functions, with which all of them begin, are omitted; for
 * other events, other functions are.
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

/* The name at an address of the kernel, and the times for which it is valid. */
struct sched_chain_name {
	uint64_t ip;
	struct span span;
	const char *name; /* NULL: no name */
	bool is_return;
};

/* Usage: `struct sched_chain c = { .session = s, .max_stack = n };` */
struct sched_chain {
	const struct session *session;
	/* the number of frames after the first two, which are the | scheduler */
	unsigned max_stack;
	const char *hidden; /* a function to omit; NULL: those of the scheduler */
	struct call_chain chain;
	struct sched_chain_name *names; /* a cache; NULL until it is needed */
};

void sched_chain_done(struct sched_chain *c);

/*
 * Appends the functions of the stack of @s to @t, each after a blank, with "<- " between them.
 * Returns false, and appends nothing, if the sample has no stack.
 */
bool sched_chain_add(struct sched_chain *c, const struct session_sample *s, struct text *t);
