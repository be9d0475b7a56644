/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf report -T`: what each thread counted until it ended, as `record -s` has it.
 */
#include <stdbool.h>
#include <stdio.h>

struct thread_counts;

/* A line for each thread; @raw (--pretty=raw): a line for each thread and event. */
void report_threads_print(const struct thread_counts *t, bool raw, FILE *out);
