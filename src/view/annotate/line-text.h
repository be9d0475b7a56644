/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of lines in the browser's layout, in parts: what --stdio2 prints and the browser draws.
 *
 *	 50.00  10:   eor  w0, w0, w0, lsl #13
 *	            ↓ cbz  w0, 44
 *
 * Figures where there are any, the offset where a jump leads to, an arrow where one leads away, the
 * name of the instruction in a column of its own, and its operands, in which targets are offsets
 * within the function or names. What comes from files is escaped.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "view/annotate/annotate.h"

/* A listing as it is to be written. */
struct line_text {
	const struct annotate_view *view;
	const struct listing *listing;
	unsigned figure;      /* width of the figure of an event */
	unsigned figures;     /* width of all figures */
	unsigned offset;      /* width of offsets, or of addresses */
	unsigned name;        /* width of names of instructions */
	unsigned jumps_width; /* of how many jumps lead somewhere; 0: not shown */
	unsigned cycles;      /* width of what blocks of code took; 0: that is not known */
	/* Private: */
	struct text scratch;
};

/* Measures the columns of @l. @v and @l are borrowed. */
void line_text_init(struct line_text *t, const struct annotate_view *v, const struct listing *l);
void line_text_done(struct line_text *t);

/* The head of the figures: "Percent". */
const char *line_text_head(const struct annotate_view *v);

/* "Samples: 1K of event 'cycles', 4000 Hz, Event count (approx.): 1234" */
void line_text_add_title(struct text *out, const struct annotate_view *v);

/* The two lines above the code: "Disassembly of section .text:", "0000000000000754 <leaf>:" */
void line_text_add_section(struct text *out, const struct listing *l);
void line_text_add_symbol(const struct line_text *t, struct text *out);

/* Whether @line is shown at all: not all names of files are, and source can be hidden. */
bool line_text_shows(const struct line_text *t, const struct listing_line *line);

/* Whether any event has samples at @line. */
bool line_text_has_figures(const struct line_text *t, const struct listing_line *line);

/* The figure of event @event, filled up to t->figure. */
void line_text_add_figure(const struct line_text *t, struct text *out,
			  const struct listing_line *line, size_t event);

/* What the block of code that ends with @line took, and the head of that: t->cycles columns. */
void line_text_add_cycles(const struct line_text *t, struct text *out,
			  const struct listing_line *line);
void line_text_add_cycles_head(const struct line_text *t, struct text *out);

/* The columns of offsets and of how many jumps lead to @line, of any kind. */
void line_text_add_offset(const struct line_text *t, struct text *out,
			  const struct listing_line *line);

/* Where an instruction leads. */
enum line_arrow {
	LINE_ARROW_NONE,
	LINE_ARROW_UP,
	LINE_ARROW_DOWN,
	LINE_ARROW_AWAY, /* to another function */
	LINE_ARROW_BACK, /* to the caller */
};
enum line_arrow line_text_arrow(const struct line_text *t, const struct listing_line *line);

/* The rest: an instruction from its name on, or a line of source. */
void line_text_add_code(struct line_text *t, struct text *out, const struct listing_line *line);
void line_text_add_note(const struct line_text *t, struct text *out,
			const struct listing_line *line);

/* Whether a line of source has nothing to show. */
bool line_text_is_blank(const struct listing_line *line);
