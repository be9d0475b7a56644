/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The user stack of a sample that carries registers and a copy of its memory (`record --call-graph
 * dwarf`), as addresses: the unwind rules of the images that the process had mapped tell.
 *
 * Addresses are innermost first: the program counter, then an address inside of each call (the
 * return address minus 1), and behind a signal handler the interrupted program counter itself.
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
	UNWIND_LOST,        /* a caller that cannot be, or a stack that ends without one */
	UNWIND_NONE, /* nothing to unwind: no registers, as of a kernel thread, or no stack any
			more, as within execve() */
};

/* How many ways there are for a stack to end. */
#define UNWIND_ENDS UNWIND_NONE

struct unwound {
	const uint64_t *ips; /* the unwinder's, until its next use */
	size_t n;
	enum unwind_end end;
};

/* What one thread remembers: programs are sampled at the same places over and over. */
struct stack_unwinder *stack_unwinder_new(void);
void stack_unwinder_free(struct stack_unwinder *u);
DEFINE_FREEP(stack_unwinder)

/*
 * Memory of the process that the copy lacks. Reads all @n bytes at @addr, or returns a negative
 * errno. It is asked only for what lies above the copied stack.
 */
typedef int stack_read_fn(void *arg, uint64_t addr, void *to, size_t n);

/* Where the process can still be asked, as while recording: for the samples from now on. */
void stack_unwinder_read_with(struct stack_unwinder *u, stack_read_fn *read, void *arg);

/* Who wants fewer frames than perf takes by itself is not told that there are more. */
#define UNWIND_TOLD_MAX 127

/*
 * Unwinds at most @max frames of @sample, which is of @time. Any thread may, with an unwinder of
 * its own. Every stack is counted in the session.
 */
struct unwound stack_unwind(struct stack_unwinder *u, const struct session *s,
			    const struct sample *sample, uint64_t time, size_t max);

/* Whether @sample carries what stack_unwind() needs. */
bool stack_unwind_can(const struct sample *sample);

/*
 * How the stacks of a session ended: those unwound so far, and those that were while it was
 * recorded, once that has been read (session/unwound-note.h).
 */
struct unwind_counts {
	uint64_t stacks; /* all of them */
	uint64_t ended[UNWIND_ENDS];
};

struct unwind_counts session_unwind_counts(const struct session *s);

/* Adds a stack that ended so to @c. */
void unwind_counts_add(struct unwind_counts *c, enum unwind_end end);
