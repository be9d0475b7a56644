/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sums of a report's rows that only some columns need. They are kept if a figure of the plan needs
 * them (enum row_needs).
 */
#include <stddef.h>
#include <stdint.h>

#include "profile/memory-classes.h"
#include "profile/weight.h"

enum row_needs {
	ROW_NEEDS_MEMORY = 1 << 0,   /* accesses by class */
	ROW_NEEDS_WEIGHTS = 1 << 1,  /* the three weights of samples */
	ROW_NEEDS_LATENCY = 1 << 2,  /* periods divided by the number of running threads */
	ROW_NEEDS_BRANCHES = 1 << 3, /* branches in stacks: collector_options.notes */
};

#define N_SAMPLE_WEIGHTS 3

/* The sums of the branches in stacks. */
struct branch_sums {
	uint64_t n, predicted, aborted, cycles;
};

static inline void branch_sums_add(struct branch_sums *to, const struct branch_sums *more)
{
	to->n += more->n;
	to->predicted += more->predicted;
	to->aborted += more->aborted;
	to->cycles += more->cycles;
}

struct row_sums {
	uint64_t weights[N_SAMPLE_WEIGHTS];
	uint64_t latency, latency_total; /* see latency_of() */
	struct branch_sums branches;
	uint64_t memory[N_MEMORY_BREAKDOWNS][MEMORY_CLASSES_MAX]; /* sums of periods, by class */
};

static inline void row_sums_add(struct row_sums *to, const struct row_sums *more)
{
	for (size_t i = 0; i < N_SAMPLE_WEIGHTS; i++)
		to->weights[i] += more->weights[i];
	to->latency += more->latency;
	to->latency_total += more->latency_total;
	branch_sums_add(&to->branches, &more->branches);
	for (size_t b = 0; b < N_MEMORY_BREAKDOWNS; b++)
		for (size_t i = 0; i < MEMORY_CLASSES_MAX; i++)
			to->memory[b][i] += more->memory[b][i];
}

/*
 * Returns the part of wall-clock time for which samples of the weight @w stand, while @parallelism
 * threads ran, in 1/1024 of the period's unit. Linux's perf rounds down for each sample; this does
 * the same if all samples have the same period.
 */
static inline uint64_t latency_of(struct weight w, uint64_t parallelism)
{
	if (!parallelism || !w.samples)
		return 0;
	return w.period % w.samples ? w.period * 1024 / parallelism
				    : w.period / w.samples * 1024 / parallelism * w.samples;
}
