/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf report` prints of branches beside its rows: the share of each kind, and the basic
 * blocks of --total-cycles.
 */
#include <stdbool.h>
#include <stdio.h>

struct branch_block;
struct branch_blocks;
struct branch_stats;
struct text;

/* The shares of the kinds, below everything else; nothing if no kind is known. */
void branch_stats_print(const struct branch_stats *s, FILE *out);

struct branch_blocks_view {
	const struct branch_blocks *blocks; /* sorted */
	double percent_limit; /* blocks with a smaller share of the cycles are left out */
	bool quiet;           /* no heads */
	bool full_paths;      /* of source files */
	bool escape;          /* the output is a terminal: names must not act on it */
};

/*
 * The blocks in the place of a table of rows. A block is shown by the lines that it reaches from
 * and to, or by its place in its function where those are not known.
 */
void branch_blocks_print(const struct branch_blocks_view *v, FILE *out);

/* Appends where @b begins and ends: lines of source, or the places in its function if there are
 * none. */
void branch_block_range_text(const struct branch_block *b, bool full_paths, struct text *out);
