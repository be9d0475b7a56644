/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Shows functions with the weights of their instructions: the options of both forms, and their
 * common parts.
 *
 * Text is appended, so that several threads can work at the same time, each for its own functions.
 * Text from files is escaped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/listing-share.h"

struct listing;
struct listing_line;
struct text;

enum annotate_figure {
	ANNOTATE_PERCENT,
	ANNOTATE_SAMPLES, /* -n */
	ANNOTATE_PERIOD,  /* --show-total-period */
};

/* The configurable look of stdio2 and the browser. */
struct annotate_layout {
	bool hide_source;
	bool use_offset;        /* addresses within the function, not in the file */
	bool show_line_numbers; /* for source lines */
	bool show_jumps;        /* the number of jumps to an instruction */
	bool show_places;       /* the place of missing source, also if it is a full path */
	bool full_addresses;    /* run-time addresses in place of those in the file */
	bool extreme_cycles;    /* the minimum and maximum cycles of a block of code */
	bool jump_arrows;       /* in the browser: a line from the jump under the cursor */
	uint64_t offset_level;  /* shown at: 1 targets of jumps, 2 also calls, 3 everything */
};

/* The default layout. */
#define ANNOTATE_LAYOUT_USUAL                                                                      \
	{                                                                                          \
		.use_offset = true, .offset_level = 1, .jump_arrows = true                         \
	}

struct annotate_view {
	enum annotate_figure figure;
	const char *event;          /* the name of the event, or of a group with its members */
	struct listing_whole whole; /* the base of shares */
	struct weight shown[2];     /* for the title: of the first event, and of the others */
	uint64_t frequency;         /* in Hz; 0: it was recorded with a period */
	bool raw;                   /* show the bytes of instructions */
	bool full_paths;
	bool lines; /* -l: also show the lines with the most weight */
	/*
	 * For --stdio, in percent: shows only instructions with at least this share, each with the
	 * preceding one.
	 */
	uint64_t min_percent;
	struct annotate_layout layout;
	bool colour;
	/*
	 * Names of functions are shortened to fit this number of columns, with @dots in place of
	 * the omitted part (base/short-name.h). 0: they are not shortened.
	 */
	unsigned columns;
	const char *dots;
};

/* Returns the name of @base, such as "local period". */
const char *annotate_base_name(enum annotate_base base);

/* Returns the escape sequence for a share, or "": above 5 % red, above 0.5 % green. */
const char *annotate_colour(const struct annotate_view *v, double percent);
const char *annotate_colour_off(const struct annotate_view *v, double percent);

/* Appends @n bytes, escaped, with tabs expanded relative to @from, a length of @out. */
void annotate_add_expanded(struct text *out, size_t from, const char *s, size_t n);

/*
 * Append @n bytes of a function's name after @taken columns of a line, shortened if necessary.
 * annotate_fit_name() does not escape it.
 */
void annotate_fit_name(struct text *out, const struct annotate_view *v, const char *name, size_t n,
		       size_t taken);
void annotate_add_name(struct text *out, const struct annotate_view *v, const char *name, size_t n,
		       size_t taken);

/* --stdio: appends addresses and whole instructions. */
void annotate_stdio_add(struct text *out, const struct annotate_view *v, const struct listing *l);

/* --stdio2: appends the browser's layout, in which jumps within the function have arrows. */
void annotate_stdio2_add(struct text *out, const struct annotate_view *v, const struct listing *l);

/* -l: appends the source lines with the most weight. */
void annotate_summary_add(struct text *out, const struct annotate_view *v, const struct listing *l);
