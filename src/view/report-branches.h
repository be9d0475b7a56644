/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf report` prints of branches beside its rows: the share of each kind, and the basic
 * blocks of --total-cycles.
 */
#include <stdbool.h>
#include <stdio.h>

struct branch_blocks;
struct branch_stats;

/* The shares of the kinds, below everything else; nothing if no kind is known. */
void branch_stats_print(const struct branch_stats *s, FILE *out);

struct branch_blocks_view {
	const struct branch_blocks *blocks; /* sorted */
	double percent_limit; /* blocks with a smaller share of the cycles are left out */
	bool quiet;           /* no heads */
	bool escape;          /* the output is a terminal: names must not act on it */
};

/*
 * The blocks in the place of a table of rows. A block is shown by its place in its function, as
 * long as no line tables are read.
 */
void branch_blocks_print(const struct branch_blocks_view *v, FILE *out);
