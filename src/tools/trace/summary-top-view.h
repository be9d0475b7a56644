/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The summary of `perf trace -s` during the run: the calls that took the most time so far, as a
 * table that is shown at intervals.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct trace_summary;

/* Prints at most @max calls below two lines of headings, @elapsed_ns after the beginning. */
void trace_top_print(FILE *out, struct trace_summary *s, uint64_t elapsed_ns, size_t max);
