/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The summary of `perf trace -s` while the calls are still being made: those that took the most
 * time so far, as a table that is shown every so often.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct trace_summary;

/* Prints at most @max calls below two lines of headings, @elapsed_ns after the begin. */
void trace_top_print(FILE *out, struct trace_summary *s, uint64_t elapsed_ns, size_t max);
