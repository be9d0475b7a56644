/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The summary of `perf trace -s` while the calls are still being made: a table in the last lines of
 * a terminal, drawn again and again.
 *
 * The program that is traced may write to the same terminal. So the lines above the table are all
 * that the terminal scrolls (DECSTBM), and the cursor stays where the program has it.
 */
#include <stdint.h>
#include <stdio.h>

struct trace_summary;

struct trace_screen_size {
	unsigned rows, columns;
};

struct trace_screen {
	struct trace_screen_size size; /* of the terminal, while the table is there */
	unsigned lines;                /* of the table; 0: there is none */
};

/*
 * Draws the calls that took the most time so far, @elapsed_ns after the begin. `(struct
 * trace_screen){ 0 }` has no table yet. A terminal of fewer than 12 rows or 40 columns gets none.
 */
void trace_screen_draw(struct trace_screen *v, FILE *out, struct trace_screen_size size,
		       struct trace_summary *s, uint64_t elapsed_ns);

/* Removes the table; the whole terminal scrolls again. */
void trace_screen_clear(struct trace_screen *v, FILE *out);
