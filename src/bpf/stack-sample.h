/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples whose stacks are unwound in the kernel: `perf record --call-graph bpf`.
 *
 * A program (bpf/stack-sample.bpf.c) is attached to events that are opened to copy stacks. The
 * samples that it unwinds are read here. Those that it cannot unwind are written by the kernel into
 * the ring buffer of the event, with the copy. The times of samples are of CLOCK_MONOTONIC, which
 * must be the clock of the events.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "bpf/stack-sample-types.h"
#include "bpf/unwind-tables.h"

struct diag;
struct stack_samples;

struct stack_samples_request {
	bool no_kernel;      /* without the kernel's part of stacks */
	bool is_test;        /* the kernel also writes the samples that are unwound */
	uint32_t max_kernel; /* limit on the frames of the kernel */
	struct runtime_functions *functions; /* see unwind_tables_start() */
	size_t ring_bytes;                   /* a power of two, of pages; 0: the default */
};

/*
 * Loads the program. -EOPNOTSUPP: this build, machine or kernel cannot; or the error of the kernel;
 * with @diag giving the reason.
 */
int stack_samples_open(const struct stack_samples_request *rq, struct stack_samples **ret,
		       struct diag *diag);
void stack_samples_free(struct stack_samples *s);
DEFINE_FREEP(stack_samples)

/* Runs the program for the event @fd, called @name in messages. Errors with @diag. */
int stack_samples_attach(struct stack_samples *s, int fd, const char *name, struct diag *diag);

/* Returns a descriptor that becomes readable when the ring should be emptied. */
int stack_samples_fd(const struct stack_samples *s);

/* Receives a sample and its frames: @sample->n_kernel of the kernel, then @sample->n_user. */
typedef int stack_sample_fn(void *arg, const struct stack_sample *sample, const uint64_t *frames);

/* Passes all samples to @take. Returns 0, or the negative errno of @take, which stops reading. */
int stack_samples_read(struct stack_samples *s, stack_sample_fn *take, void *arg);

/* Reads the facts about the unwinding so far. Errors with @diag. */
int stack_samples_facts(const struct stack_samples *s, struct unwind_tables_facts *ret,
			struct diag *diag);
