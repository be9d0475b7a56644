/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the parts of `perf report` about branches besides its rows: the share of each kind, and
 * the basic blocks of --total-cycles.
 */
#include <stdbool.h>
#include <stdio.h>

struct branch_block;
struct branch_blocks;
struct branch_stats;
struct text;

/* Prints the shares of the kinds below everything else, and nothing if no kind is known. */
void branch_stats_print(const struct branch_stats *s, FILE *out);

struct branch_blocks_view {
	const struct branch_blocks *blocks; /* sorted */
	double percent_limit; /* blocks with a smaller share of the cycles are omitted */
	bool quiet;           /* no headings */
	bool full_paths;      /* for source files */
	bool escape;          /* the output is a terminal: escape names */
};

/*
 * Prints the blocks in place of a table of rows. A block is shown by its first and last lines, or
 * by its place in its function if those are not known.
 */
void branch_blocks_print(const struct branch_blocks_view *v, FILE *out);

/*
 * Appends the begin and the end of @b: source lines, or places in its function if there are none.
 */
void branch_block_range_text(const struct branch_block *b, bool full_paths, struct text *out);
