/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How functions are shown with what their instructions weigh: the options of both forms, and what
 * they have in common.
 *
 * Text is appended, so that several threads can work at once, each for its own functions. What
 * comes from files is escaped.
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

/* How stdio2 and the browser look, as it can be configured. */
struct annotate_layout {
	bool hide_source;
	bool use_offset;        /* addresses within the function, not in the file */
	bool show_line_numbers; /* of source */
	bool show_jumps;        /* how many lead to an instruction */
	bool show_places;       /* where source is that is not here, also with a whole path */
	bool full_addresses;    /* those at run time, in place of those in the file */
	bool extreme_cycles;    /* the fewest and most that a block of code took */
	bool jump_arrows;       /* of the browser: a line from the jump under the cursor */
	uint64_t offset_level;  /* at what: 1 targets of jumps, 2 also calls, 3 everything */
};

/* How they look where nothing else is said. */
#define ANNOTATE_LAYOUT_USUAL                                                                      \
	{                                                                                          \
		.use_offset = true, .offset_level = 1, .jump_arrows = true                         \
	}

struct annotate_view {
	enum annotate_figure figure;
	const char *event;          /* its name, or that of a group with its members */
	struct listing_whole whole; /* what shares are of */
	struct weight shown[2];     /* for the title: of the first event, of the others */
	uint64_t frequency;         /* in Hz; 0: it was recorded by periods */
	bool raw;                   /* the bytes of instructions */
	bool full_paths;
	bool lines; /* -l: also the lines that weigh most */
	/* Of --stdio, in percent: only instructions from there on, each with the one before it. */
	uint64_t min_percent;
	struct annotate_layout layout;
	bool colour;
	/* Names of functions are shortened to fit so many columns, with @dots for what is left out
	 * (base/short-name.h). 0: they are whole. */
	unsigned columns;
	const char *dots;
};

/* "local period" */
const char *annotate_base_name(enum annotate_base base);

/* The sequence for a share, or "": above 5 % red, above 0.5 % green. */
const char *annotate_colour(const struct annotate_view *v, double percent);
const char *annotate_colour_off(const struct annotate_view *v, double percent);

/* Appends @n bytes, with tabs expanded since @from, a length of @out, and escaped. */
void annotate_add_expanded(struct text *out, size_t from, const char *s, size_t n);

/*
 * Append @n bytes of a function's name behind @taken columns of a line, shortened if need be;
 * annotate_fit_name() does not escape it.
 */
void annotate_fit_name(struct text *out, const struct annotate_view *v, const char *name, size_t n,
		       size_t taken);
void annotate_add_name(struct text *out, const struct annotate_view *v, const char *name, size_t n,
		       size_t taken);

/* --stdio: addresses and whole instructions. */
void annotate_stdio_add(struct text *out, const struct annotate_view *v, const struct listing *l);

/* --stdio2: the browser's layout, in which jumps within the function have arrows. */
void annotate_stdio2_add(struct text *out, const struct annotate_view *v, const struct listing *l);

/* -l: the lines of source that weigh most. */
void annotate_summary_add(struct text *out, const struct annotate_view *v, const struct listing *l);
