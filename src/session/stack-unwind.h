/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinds the user stack of a sample that carries registers and a copy of stack memory (`record
 * --call-graph dwarf`), by the unwind rules of the images that the process had mapped.
 *
 * Addresses are innermost first: the program counter, then an address inside each call (the return
 * address minus 1); behind a signal handler the interrupted program counter itself.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct sample;
struct session;
struct stack_unwinder;

enum unwind_end {
	UNWIND_ROOT,        /* the outermost frame is there */
	UNWIND_CUT,         /* the copied memory ended first */
	UNWIND_MAX,         /* there are more frames than were asked for */
	UNWIND_NO_FILE,     /* the file of the last function cannot be read, or is not known */
	UNWIND_NO_CFI,      /* nothing tells how to unwind the last function */
	UNWIND_OTHER_STACK, /* a signal interrupted another stack than the one that was copied */
	UNWIND_UNTOUCHED, /* the copy ended at a page of a large frame that was never written to */
	UNWIND_LOST,      /* a caller that cannot be, or a stack that ends without one */
	UNWIND_NONE,      /* nothing to unwind: no registers, as of a kernel thread, or no stack any
			     more, as within execve() */
};

/* How many ways there are for a stack to end. */
#define UNWIND_ENDS UNWIND_NONE

struct unwound {
	const uint64_t *ips; /* the unwinder's, until its next use */
	size_t n;
	enum unwind_end end;
};

/* One thread's state and caches: programs are sampled at the same places over and over. */
struct stack_unwinder *stack_unwinder_new(void);
void stack_unwinder_free(struct stack_unwinder *u);
DEFINE_FREEP(stack_unwinder)

/*
 * Reads @n bytes of the process's memory at @addr that the copy lacks: all of them, or a negative
 * errno. Called only for addresses above the copied stack.
 */
typedef int stack_read_fn(void *arg, uint64_t addr, void *to, size_t n);

/* Sets the reader for the samples from now on: while recording, the process can still be asked. */
void stack_unwinder_read_with(struct stack_unwinder *u, stack_read_fn *read, void *arg);

/* If fewer frames are wanted than perf takes by default, UNWIND_MAX is not reported. */
#define UNWIND_REPORTED_MAX 127

/*
 * Unwinds at most @max frames of @sample, which is of @time. Any thread may, with an unwinder of
 * its own. Every stack is counted in the session.
 */
struct unwound stack_unwind(struct stack_unwinder *u, const struct session *s,
			    const struct sample *sample, uint64_t time, size_t max);

/* Does @sample carry what stack_unwind() needs? */
bool stack_unwind_can(const struct sample *sample);

/*
 * How the stacks of a session ended: those unwound so far, and those that were while it was
 * recorded, once that has been read (session/unwound-note.h).
 */
struct unwind_counts {
	uint64_t stacks; /* all of them */
	uint64_t ended[UNWIND_ENDS];
	bool is_rest; /* the kernel unwound the others: perf record --call-graph bpf */
};

struct unwind_counts session_unwind_counts(const struct session *s);

/* Adds a stack that ended so to @c. */
void unwind_counts_add(struct unwind_counts *c, enum unwind_end end);
