/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request of a report as text: which report is shown, and in which form.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The form of rows and of the call trees below them. Texts are borrowed. */
struct report_form {
	const char *separator; /* -t; NULL: columns are aligned */
	const char *widths;    /* -w; NULL: as wide as needed */
	bool times_in_ns;      /* else times are in microseconds */
	bool quiet;            /* -q: no titles, no heads */
	bool colour;
	bool escape;      /* the output is a terminal: names must not act on it */
	unsigned verbose; /* -v */
	/*
	 * The width of the terminal for users: names are shortened so that lines fit, with @dots in
	 * place of the omitted part (base/short-name.h). 0: names are not shortened.
	 */
	unsigned columns;
	const char *dots;
};

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
	struct report_form form;
	size_t max_rows;         /* for each block; 0: all */
	uint64_t min_samples;    /* rows with fewer samples are omitted */
	bool narrow_images;      /* --dsos, -t: images need no space for addresses */
	struct workers *workers; /* among which large reports are divided; NULL: none */
};
