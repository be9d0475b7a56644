/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A report as text: for each event, or group of them, a title, the columns' heads and the rows with
 * their call trees.
 *
 * The characters are those of Linux's perf, byte for byte. Text goes to the stream in large pieces.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct report_group;
struct report_plan;
struct report_title;
struct report_tree_options;
struct workers;

/* One event, or one group. */
struct report_block {
	const struct report_group *group;
	const struct report_title *title;       /* view/report/title.h */
	const struct report_tree_options *tree; /* NULL: no call trees */
};

struct report_view {
	const struct report_plan *plan;
	const struct report_block *blocks;
	size_t n_blocks;
	const char *separator; /* -t; NULL: columns are aligned */
	const char *widths;    /* -w; NULL: as wide as needed */
	size_t max_rows;       /* of each block; 0: all */
	uint64_t min_samples;  /* rows with fewer are left out */
	bool times_in_ns;      /* else in microseconds */
	bool narrow_images;    /* --dsos, -t: beside images there need be no room for addresses */
	bool quiet;            /* -q: no titles, no heads */
	bool colour;
	bool escape;      /* the output is a terminal: names must not act on it */
	unsigned verbose; /* -v */
	/*
	 * Of the terminal that people read it on: names are shortened so that lines fit, with
	 * @dots for what is left out (base/short-name.h). 0: names are whole.
	 */
	unsigned columns;
	const char *dots;
	struct workers *workers; /* to share out large reports among; NULL: none */
};

/* Prints all blocks of @v. A negative errno if @out fails. */
int report_print(FILE *out, const struct report_view *v);
