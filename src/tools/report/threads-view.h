/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf report -T`: prints the counts of each thread until it ended, which `record -s` records. */
#include <stdbool.h>
#include <stdio.h>

struct thread_counts;

/* Prints a line for each thread, or, if @raw (--pretty=raw), a line for each thread and event. */
void report_threads_print(const struct thread_counts *t, bool raw, FILE *out);
