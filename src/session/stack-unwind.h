/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinds the user stack of a sample that has registers and a copy of stack memory (`record
 * --call-graph dwarf`), by the unwind rules of the images that the process had mapped.
 *
 * Addresses are innermost first: the program counter, then an address inside each call (the return
 * address minus 1); after a signal handler the interrupted program counter itself.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct sample;
struct session;
struct stack_unwinder;

enum unwind_end {
	UNWIND_ROOT,        /* the outermost frame was reached */
	UNWIND_CUT,         /* the copied memory ended first */
	UNWIND_MAX,         /* there are more frames than were requested */
	UNWIND_NO_FILE,     /* the last function's file cannot be read, or is unknown */
	UNWIND_NO_CFI,      /* no rule is known for the last function */
	UNWIND_OTHER_STACK, /* a signal interrupted another stack than the copied one */
	UNWIND_UNTOUCHED,   /* the copy ended at a never written page of a large frame */
	UNWIND_LOST,        /* an impossible caller, or an end of the stack without one */
	/*
	 * nothing to unwind: no registers, as in a kernel thread, or no stack any more, as within
	 * execve()
	 */
	UNWIND_NONE,
};

/* The number of ways in which a stack can end. */
#define UNWIND_ENDS UNWIND_NONE

struct unwound {
	const uint64_t *ips; /* owned by the unwinder, valid until its next use */
	size_t n;
	enum unwind_end end;
};

/*
 * Makes one thread's state and caches, because programs are sampled at the same places repeatedly.
 */
struct stack_unwinder *stack_unwinder_new(void);
void stack_unwinder_free(struct stack_unwinder *u);
DEFINE_FREEP(stack_unwinder)

/*
 * Reads @n bytes of the process's memory at @addr that are not in the copy: all of them, or returns
 * a negative errno. Called only for addresses above the copied stack.
 */
typedef int stack_read_fn(void *arg, uint64_t addr, void *to, size_t n);

/* Sets the reader for further samples: while recording, the process's memory can still be read. */
void stack_unwinder_read_with(struct stack_unwinder *u, stack_read_fn *read, void *arg);

/* If fewer frames than perf's default are requested, UNWIND_MAX is not reported. */
#define UNWIND_REPORTED_MAX 127

/*
 * Unwinds at most @max frames of @sample, which was taken at @time. Any thread may call this, with
 * an unwinder of its own. Every stack is counted in the session.
 */
struct unwound stack_unwind(struct stack_unwinder *u, const struct session *s,
			    const struct sample *sample, uint64_t time, size_t max);

/* True if @sample has the data that stack_unwind() needs. */
bool stack_unwind_can(const struct sample *sample);

/*
 * The ways in which the stacks of a session ended: those unwound until now, and those unwound while
 * it was recorded, once that data has been read (session/unwound-note.h).
 */
struct unwind_counts {
	uint64_t stacks; /* the number of all stacks */
	uint64_t ended[UNWIND_ENDS];
	bool is_rest; /* the kernel unwound others: perf record --call-graph bpf */
};

struct unwind_counts session_unwind_counts(const struct session *s);

/* Adds a stack that ended in the way @end to @c. */
void unwind_counts_add(struct unwind_counts *c, enum unwind_end end);
