/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "profile/source-text.h"
#include "symbol/symbolizer.h"
#include "view/annotate/annotate.h"
#include "view/annotate/types.h"

/* The widths of an event's column. */
#define FIGURE_WIDTH 8
#define PERIOD_WIDTH 12

/* The digits of an instruction's bytes that fit into its column: objdump's width for x86. */
#define BYTES_COLUMN 21

#define TAB 8

/* The approximate column of an instruction after its figures, including tabs. */
#define INSTRUCTION_COLUMN 24

/* The difference between the lengths of a rule and the title above it. */
#define RULE_MORE 5

static unsigned annotate_stdio_figure_width(const struct annotate_view *v)
{
	return v->figure == ANNOTATE_PERIOD ? PERIOD_WIDTH : FIGURE_WIDTH;
}

static void annotate_stdio_add_blanks(struct text *out, size_t n)
{
	memset(text_room(out, n), ' ', n);
	text_filled(out, out->chars + out->length + n);
}

/*
 * True if the text does not fit into the terminal's columns, some of which are taken by a tab and
 * the signs of a title.
 */
static bool is_too_long(const struct annotate_view *v, size_t length)
{
	return v->columns && length + RULE_MORE > v->columns;
}

/* Adds the event after its image, or below that if there is not enough space for both. */
static void add_title_event(struct text *out, const struct annotate_view *v,
			    const struct listing *l, size_t begin)
{
	_cleanup_(text_done) struct text end = TEXT_EMPTY;

	text_add(&end, "for ");
	escape_terminal(&end, v->event, strlen(v->event));
	text_addf(&end, " (%" PRIu64 " samples, percent: %s)\n", l->function->totals[0].samples,
		  annotate_base_name(v->whole.base));
	if (is_too_long(v, out->length - begin + end.length))
		text_addf(out, "\n %*s|\t",
			  (int)(annotate_stdio_figure_width(v) * v->whole.n_events), "");
	else
		text_add_char(out, ' ');
	text_add(out, end.chars);
}

static void annotate_stdio_add_title(struct text *out, const struct annotate_view *v,
				     const struct listing *l)
{
	static const char *const heads[] = {
		[ANNOTATE_PERCENT] = "Percent",
		[ANNOTATE_SAMPLES] = "Samples",
		[ANNOTATE_PERIOD] = "Period",
	};
	const char *name = v->full_paths ? image_long_name(l->function->image)
					 : image_short_name(l->function->image);
	size_t begin = out->length, length;

	text_addf(out, " %-*s|\tSource code %sof ",
		  (int)(annotate_stdio_figure_width(v) * v->whole.n_events), heads[v->figure],
		  l->is_source ? "" : "& Disassembly ");
	escape_terminal(out, name, strlen(name));
	add_title_event(out, v, l, begin);
	length = out->length - begin - 1 + RULE_MORE;
	if (v->columns && length > v->columns)
		length = v->columns;
	memset(text_room(out, length), '-', length);
	text_filled(out, out->chars + out->length + length);
	text_add_char(out, '\n');
}

/* Appends a line without figures. @text is NULL for an empty one. */
static void add_bare(struct text *out, const struct annotate_view *v, const char *text)
{
	annotate_stdio_add_blanks(out, annotate_stdio_figure_width(v) * v->whole.n_events);
	text_add(out, " :");
	if (text)
		text_add(out, text);
	text_add_char(out, '\n');
}

/*
 * Appends the lines with which objdump begins. Linux's perf numbers them like those of the source:
 * 3, 5, and 6 for the name of the function.
 */
static void annotate_stdio_add_head(struct text *out, const struct annotate_view *v,
				    const struct listing *l, unsigned width)
{
	size_t n = annotate_stdio_figure_width(v) * v->whole.n_events;

	if (l->is_source) {
		add_bare(out, v, NULL);
		annotate_stdio_add_blanks(out, n);
		text_add(out, " : ");
		annotate_add_name(out, v, l->name, strlen(l->name), n + strlen(" : :"));
		text_add(out, ":\n");
		return;
	}
	for (int i = 0; i < 3; i++)
		add_bare(out, v, NULL);
	annotate_stdio_add_blanks(out, n);
	text_addf(out, " : %-*d Disassembly of section %s:\n", (int)width, 3, l->section);
	add_bare(out, v, NULL);
	annotate_stdio_add_blanks(out, n);
	text_addf(out, " : %-*d %016" PRIx64 " <", (int)width, 5, l->start);
	annotate_add_name(out, v, l->name, strlen(l->name),
			  n + width + strlen(" :  0123456789abcdef <>:"));
	text_add(out, ">:\n");
}

static void annotate_stdio_add_figures(struct text *out, const struct annotate_view *v,
				       const struct listing *l, const struct listing_line *line)
{
	for (size_t e = 0; e < v->whole.n_events; e++) {
		double percent = listing_share(l, line, e, &v->whole);
		char number[DIGITS_MAX + 2], *end = number;
		size_t n;

		if (v->figure == ANNOTATE_PERCENT)
			end = digits_hundredths(number, percent);
		else
			end = digits_decimal(number, v->figure == ANNOTATE_SAMPLES
							     ? line->weights[e].samples
							     : line->weights[e].period);
		n = (size_t)(end - number);
		text_add(out, annotate_colour(v, percent));
		annotate_stdio_add_blanks(out, n < annotate_stdio_figure_width(v)
						       ? annotate_stdio_figure_width(v) - n
						       : 0);
		text_add_bytes(out, number, n);
		text_add(out, annotate_colour_off(v, percent));
	}
}

/* Appends the bytes like objdump: a word on machines with words as instructions, or one by one. */
static void annotate_stdio_add_bytes(struct text *out, const struct listing *l,
				     const struct listing_line *line)
{
	size_t begin = out->length;

	if (l->arch->instruction_size) {
		for (size_t i = line->n_bytes; i-- > 0;)
			text_addf(out, "%02x", line->bytes[i]);
		text_add(out, " \t");
		return;
	}
	for (size_t i = 0; i < line->n_bytes; i++)
		text_addf(out, "%s%02x", i ? " " : "", line->bytes[i]);
	if (line->kind == LISTING_MORE)
		return;
	text_pad(out, begin, BYTES_COLUMN, 1, ' ');
	text_add_char(out, '\t');
}

/* Appends "7e4:\tcbz\tw0, 824 <hot+0x44>", with tabs not expanded yet. */
static void annotate_stdio_add_instruction(struct text *out, const struct annotate_view *v,
					   const struct listing *l, const struct listing_line *line)
{
	char *end = text_room(out, DIGITS_MAX + 2);

	end = digits_hex(end, line->addr);
	*end++ = ':';
	*end++ = '\t';
	text_filled(out, end);
	if (v->raw)
		annotate_stdio_add_bytes(out, l, line);
	text_add_bytes(out, line->text, line->length);
	if (line->flow.has_target) {
		text_add(out, line->lead);
		text_filled(out, digits_hex(text_room(out, DIGITS_MAX), line->flow.target));
		if (line->target) {
			text_add(out, " <");
			annotate_fit_name(out, v, line->target, strlen(line->target),
					  INSTRUCTION_COLUMN + out->length);
			text_add_char(out, '>');
		}
	}
	if (line->kind == LISTING_CODE)
		text_add(out, line->comment);
}

static unsigned annotate_stdio_digits_of(uint64_t addr)
{
	char digits[DIGITS_MAX];

	return (unsigned)(digits_hex(digits, addr) - digits);
}

struct annotate_stdio_printing {
	const struct annotate_view *view;
	const struct listing *listing;
	unsigned width;      /* the width of addresses */
	struct text scratch; /* a line before its tabs are expanded */
	const char *place;   /* the place that was last printed, with -l */
	uint32_t line;
};

/* -l: appends the source place of a heavy instruction, unless it was printed already. */
static void annotate_stdio_add_place(struct annotate_stdio_printing *p, struct text *out,
				     const struct listing_line *line)
{
	const struct source_line *at = &line->at;

	if (!p->view->lines || !listing_line_is_heavy(p->listing, line, &p->view->whole))
		return;
	if (at->line == p->line &&
	    (at->file == p->place || (at->file && p->place && !strcmp(at->file, p->place))))
		return;
	p->place = at->file;
	p->line = at->line;
	if (!at->file)
		return;
	text_clear(&p->scratch);
	source_line_text(at, p->view->full_paths, &p->scratch);
	text_add(out, " // ");
	escape_terminal(out, p->scratch.chars, p->scratch.length);
}

static void annotate_stdio_add_code(struct annotate_stdio_printing *p, struct text *out,
				    const struct listing_line *line)
{
	const struct annotate_view *v = p->view;
	size_t colon;

	annotate_stdio_add_figures(out, v, p->listing, line);
	text_add(out, " : ");
	text_clear(&p->scratch);
	annotate_stdio_add_instruction(&p->scratch, v, p->listing, line);
	colon = strcspn(p->scratch.chars, ":") + 1;
	text_add(out, v->colour ? "\033[35m" : "");
	annotate_stdio_add_blanks(out, 2 + p->width - (colon - 1));
	text_add_bytes(out, p->scratch.chars, colon);
	text_add(out, v->colour ? "\033[m\033[34m" : "");
	/*
	 * Replaces the tab after the colon, because the escape sequences must not count for the
	 * width.
	 */
	annotate_stdio_add_blanks(out, TAB - colon % TAB);
	annotate_add_expanded(out, out->length, p->scratch.chars + colon + 1,
			      p->scratch.length - colon - 1);
	annotate_access_add(out, &line->access);
	annotate_stdio_add_place(p, out, line);
	text_add(out, v->colour ? "\033[m\n" : "\n");
}

/* Appends a line of source that has the figures itself. */
static void annotate_stdio_add_line(const struct annotate_stdio_printing *p, struct text *out,
				    const struct listing_line *line)
{
	const struct annotate_view *v = p->view;

	annotate_stdio_add_figures(out, v, p->listing, line);
	text_addf(out, " : %s%*u%s ", v->colour ? "\033[35m" : "", (int)p->width, line->number,
		  v->colour ? "\033[m" : "");
	annotate_add_expanded(out, out->length, line->text, line->length);
	text_add_char(out, '\n');
}

/* Appends the name of a function in the form of a call. */
static void annotate_stdio_add_function(const struct annotate_stdio_printing *p, struct text *out,
					const struct listing_line *line)
{
	annotate_add_name(out, p->view, line->text, line->length,
			  annotate_stdio_figure_width(p->view) * p->view->whole.n_events +
				  p->width + strlen(" :  ():"));
	text_add(out, memchr(line->text, '(', line->length) ? ":" : "():");
}

static void annotate_stdio_add_note(struct annotate_stdio_printing *p, struct text *out,
				    const struct listing_line *line)
{
	size_t skip = 0;

	while (skip < line->length && strchr(" \t\f\v", line->text[skip]))
		skip++;
	if (skip == line->length) {
		add_bare(out, p->view, NULL);
		return;
	}
	annotate_stdio_add_blanks(out,
				  annotate_stdio_figure_width(p->view) * p->view->whole.n_events);
	if (line->kind == LISTING_SOURCE)
		text_addf(out, " : %-*u ", (int)p->width, line->number);
	else if (line == p->listing->items && !p->listing->is_source)
		text_addf(out, " : %-*d ", (int)p->width, 6);
	else
		text_addf(out, " : %-*s ", (int)p->width, "");
	if (line->kind == LISTING_FUNCTION)
		annotate_stdio_add_function(p, out, line);
	else
		annotate_add_expanded(out, out->length, line->text + skip, line->length - skip);
	text_add_char(out, '\n');
}

/* True if any event has enough weight at @line to show it. */
static bool weighs_enough(const struct annotate_stdio_printing *p, const struct listing_line *line)
{
	for (size_t e = 0; e < p->view->whole.n_events; e++)
		if (listing_share(p->listing, line, e, &p->view->whole) >=
		    (double)p->view->min_percent)
			return true;
	return false;
}

static void add_heavy(struct annotate_stdio_printing *p, struct text *out)
{
	const struct listing_line *before = NULL; /* a line that is not shown yet */

	for (size_t i = 0; i < p->listing->n; i++) {
		const struct listing_line *line = &p->listing->items[i];

		if (line->kind == LISTING_LINE && weighs_enough(p, line))
			annotate_stdio_add_line(p, out, line);
		if (line->kind != LISTING_CODE)
			continue;
		if (weighs_enough(p, line)) {
			if (before)
				annotate_stdio_add_code(p, out, before);
			annotate_stdio_add_code(p, out, line);
			before = NULL;
		} else {
			before = line;
		}
	}
}

static void annotate_stdio_add_all(struct annotate_stdio_printing *p, struct text *out)
{
	const struct listing *l = p->listing;

	annotate_stdio_add_head(out, p->view, l, p->width);
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];

		if (line->kind == LISTING_CODE || line->kind == LISTING_MORE)
			annotate_stdio_add_code(p, out, line);
		else if (line->kind == LISTING_LINE)
			annotate_stdio_add_line(p, out, line);
		/* The place of missing source is printed, unless it is a full path. */
		else if (line->kind != LISTING_PLACE || line->text[0] != '/')
			annotate_stdio_add_note(p, out, line);
	}
}

/* Returns the width of addresses, or of the numbers of lines. */
static unsigned annotate_stdio_width(const struct listing *l)
{
	char digits[DIGITS_MAX];
	uint32_t last = 0;

	if (!l->is_source)
		return annotate_stdio_digits_of(l->end ? l->end - 1 : 0);
	for (size_t i = 0; i < l->n; i++)
		last = l->items[i].number > last ? l->items[i].number : last;
	return (unsigned)(digits_decimal(digits, last) - digits);
}

void annotate_stdio_add(struct text *out, const struct annotate_view *v, const struct listing *l)
{
	struct annotate_stdio_printing p = {
		.view = v,
		.listing = l,
		.width = annotate_stdio_width(l),
		.scratch = TEXT_EMPTY,
	};

	annotate_stdio_add_title(out, v, l);
	if (v->min_percent)
		add_heavy(&p, out);
	else
		annotate_stdio_add_all(&p, out);
	text_done(&p.scratch);
}
