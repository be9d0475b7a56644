/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of lines in the browser's layout, in parts: printed by --stdio2 and drawn by the
 * browser.
 *
 *	 50.00  10:   eor  w0, w0, w0, lsl #13
 *	            ↓ cbz  w0, 44
 *
 * A line has figures if there are any, the offset at the target of a jump, an arrow at a jump, the
 * name of the instruction in a column of its own, and its operands, in which targets are offsets
 * within the function or names. Text from files is escaped.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "view/annotate/annotate.h"

/* A listing to be formatted. */
struct line_text {
	const struct annotate_view *view;
	const struct listing *listing;
	unsigned figure;      /* width of the figure of an event */
	unsigned figures;     /* width of all figures */
	unsigned offset;      /* width of offsets, or of addresses */
	unsigned name;        /* width of names of instructions */
	unsigned jumps_width; /* width of the number of jumps to a place; 0: not shown */
	unsigned cycles;      /* width of the cycles of blocks of code; 0: unknown */
	/* Private: */
	struct text scratch;
};

/* Measures the columns of @l. @v and @l are borrowed. */
void line_text_init(struct line_text *t, const struct annotate_view *v, const struct listing *l);
void line_text_done(struct line_text *t);

/* Returns the head of the figures: "Percent". */
const char *line_text_head(const struct annotate_view *v);

/* Appends "Samples: 1K of event 'cycles', 4000 Hz, Event count (approx.): 1234". */
void line_text_add_title(struct text *out, const struct annotate_view *v);

/*
 * Append the two lines above the code: "Disassembly of section .text:", "0000000000000754 <leaf>:".
 */
void line_text_add_section(struct text *out, const struct listing *l);
void line_text_add_symbol(const struct line_text *t, struct text *out);

/* True if @line is shown: some names of files are not, and source can be hidden. */
bool line_text_shows(const struct line_text *t, const struct listing_line *line);

/* True if any event has samples at @line. */
bool line_text_has_figures(const struct line_text *t, const struct listing_line *line);

/* Appends the figure of event @event, padded to t->figure. */
void line_text_add_figure(const struct line_text *t, struct text *out,
			  const struct listing_line *line, size_t event);

/*
 * Append the cycles of the block of code that ends with @line, and their head: t->cycles columns.
 */
void line_text_add_cycles(const struct line_text *t, struct text *out,
			  const struct listing_line *line);
void line_text_add_cycles_head(const struct line_text *t, struct text *out);

/* Appends the columns of offsets and of the number of jumps to @line, whatever its kind is. */
void line_text_add_offset(const struct line_text *t, struct text *out,
			  const struct listing_line *line);

/* The direction of an instruction's jump. */
enum line_arrow {
	LINE_ARROW_NONE,
	LINE_ARROW_UP,
	LINE_ARROW_DOWN,
	LINE_ARROW_AWAY, /* to another function */
	LINE_ARROW_BACK, /* to the caller */
};
enum line_arrow line_text_arrow(const struct line_text *t, const struct listing_line *line);

/* Append the rest: an instruction from its name on, or a line of source. */
void line_text_add_code(struct line_text *t, struct text *out, const struct listing_line *line);
void line_text_add_note(const struct line_text *t, struct text *out,
			const struct listing_line *line);

/* True if a line of source has no visible text. */
bool line_text_is_blank(const struct listing_line *line);
