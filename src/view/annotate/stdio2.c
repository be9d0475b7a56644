/* SPDX-License-Identifier: MIT */
/*
 * The layout of the browser as plain text:
 *
 *	 50.00  10:   eor  w0, w0, w0, lsl #13
 *	            ↓ cbz  w0, 44
 *
 * Figures where there are any, the offset where a jump leads to, an arrow where one leads away, the
 * name of the instruction in a column of its own, and its operands, in which targets are offsets
 * within the function or names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "view/annotate/annotate.h"
#include "view/report/title.h"

/* Of the column of an event. */
#define FIGURE_WIDTH 7
#define PERIOD_WIDTH 12

/* What the bytes of an instruction count for where its name would be. */
#define RAW_NAME_WIDTH 4

struct printing {
	const struct annotate_view *view;
	const struct listing *listing;
	unsigned figures;     /* width of all figures */
	unsigned offset;      /* width of offsets, or of addresses */
	unsigned name;        /* width of names of instructions */
	unsigned jumps_width; /* of how many jumps lead somewhere; 0: not shown */
	struct text scratch;
};

static unsigned figure_width(const struct annotate_view *v)
{
	return v->figure == ANNOTATE_PERIOD ? PERIOD_WIDTH : FIGURE_WIDTH;
}

static size_t name_length(const struct listing_line *line)
{
	return strcspn(line->text, "\t ");
}

static unsigned hex_width(uint64_t v)
{
	char digits[DIGITS_MAX];

	return (unsigned)(digits_hex(digits, v) - digits);
}

static void measure(struct printing *p)
{
	const struct annotate_view *v = p->view;
	const struct listing *l = p->listing;
	uint32_t most = 0;

	p->figures = figure_width(v) * (unsigned)v->whole.n_events;
	p->name = v->raw ? RAW_NAME_WIDTH : 0;
	p->offset = hex_width(v->layout.use_offset ? l->end - l->start : l->end);
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];

		if (line->kind == LISTING_CODE && !v->raw && name_length(line) > p->name)
			p->name = (unsigned)name_length(line);
		most = line->n_jumps > most ? line->n_jumps : most;
	}
	if (v->layout.show_jumps)
		p->jumps_width = (unsigned)snprintf(NULL, 0, "%u", most) + 1;
}

static void add_title(const struct printing *p, struct text *out)
{
	static const char *const heads[] = {
		[ANNOTATE_PERCENT] = "Percent",
		[ANNOTATE_SAMPLES] = "Samples",
		[ANNOTATE_PERIOD] = "Period",
	};
	const struct annotate_view *v = p->view;
	const struct listing *l = p->listing;
	const char *path = image_long_name(l->function->image);
	char unit;
	uint64_t samples = report_number_shorten(v->shown[0].samples + v->shown[1].samples, &unit);

	text_addf(out, "Samples: %" PRIu64 "%c of event%s '", samples, unit,
		  v->whole.n_events > 1 ? "s" : "");
	escape_terminal(out, v->event, strlen(v->event));
	text_add(out, "', ");
	if (v->frequency)
		text_addf(out, "%" PRIu64 " Hz, ", v->frequency);
	text_addf(out, "Event count (approx.): %" PRIu64 ", [percent: %s]\n", v->shown[0].period,
		  annotate_base_name(v->whole.base));
	escape_terminal(out, l->name, strlen(l->name));
	text_add(out, "() ");
	escape_terminal(out, path, strlen(path));
	text_addf(out, "\n%-*s\n", (int)(2 * p->figures + 1), heads[v->figure]);
}

static void add_empty(const struct printing *p, struct text *out)
{
	text_addf(out, "%*s\n", (int)(2 * p->figures + 1), "");
}

/* What stands before a line without figures; @number is 0 for none. */
static void add_margin(const struct printing *p, struct text *out, uint32_t number)
{
	int width = (int)p->offset + 2;

	text_addf(out, "%*s", (int)(p->figures + 1 + p->jumps_width), "");
	if (!p->view->layout.show_line_numbers)
		text_addf(out, "%*s", width, "");
	else if (number)
		text_addf(out, "%-*u ", width + 1, number);
	else
		text_addf(out, "%*s", width + 2, "");
}

/* Ends a line whose text since @from is filled up to @width columns. */
static void end_line(struct text *out, size_t from, size_t width)
{
	size_t columns = escape_columns(out->chars + from, out->length - from);

	for (; columns < width; columns++)
		text_add_char(out, ' ');
	text_add_char(out, '\n');
}

static void add_words(const struct printing *p, struct text *out, const char *text)
{
	size_t from;

	add_margin(p, out, 0);
	from = out->length;
	text_add(out, text);
	end_line(out, from, p->figures + 3);
}

static void add_head(struct printing *p, struct text *out)
{
	const struct listing *l = p->listing;

	add_empty(p, out);
	add_empty(p, out);
	text_clear(&p->scratch);
	text_addf(&p->scratch, "Disassembly of section %s:", l->section);
	add_words(p, out, p->scratch.chars);
	add_empty(p, out);
	text_clear(&p->scratch);
	text_addf(&p->scratch, "%016" PRIx64 " <", l->start);
	escape_terminal(&p->scratch, l->name, strlen(l->name));
	text_add(&p->scratch, ">:");
	add_words(p, out, p->scratch.chars);
}

static void add_note(struct printing *p, struct text *out, const struct listing_line *line)
{
	size_t skip = 0, from;

	while (skip < line->length && strchr(" \t\f\v", line->text[skip]))
		skip++;
	if (skip == line->length) {
		add_empty(p, out);
		return;
	}
	add_margin(p, out, line->kind == LISTING_SOURCE ? line->number : 0);
	from = out->length;
	annotate_add_expanded(out, from, line->text + skip, line->length - skip);
	if (line->kind == LISTING_FUNCTION)
		text_add(out, memchr(line->text, '(', line->length) ? ":" : "():");
	end_line(out, from, p->figures + 3);
}

static void add_figures(const struct printing *p, struct text *out, const struct listing_line *line)
{
	const struct annotate_view *v = p->view;
	int width = (int)figure_width(v) - 1;
	bool weighs = false;

	for (size_t e = 0; e < v->whole.n_events; e++)
		weighs |= line->weights[e].samples > 0;
	if (!weighs) {
		text_addf(out, "%*s", (int)p->figures, "");
		return;
	}
	for (size_t e = 0; e < v->whole.n_events; e++) {
		double percent = listing_share(p->listing, line, e, &v->whole);

		text_add(out, annotate_colour(v, percent));
		if (v->figure == ANNOTATE_PERCENT)
			text_addf(out, "%*.2f ", width, percent);
		else
			text_addf(out, "%*" PRIu64 " ", width,
				  v->figure == ANNOTATE_SAMPLES ? line->weights[e].samples
								: line->weights[e].period);
		text_add(out, annotate_colour_off(v, percent));
	}
}

/* The offset of a line that something leads to, or of every one. */
static void add_offset(const struct printing *p, struct text *out, const struct listing_line *line)
{
	const struct annotate_layout *layout = &p->view->layout;
	uint32_t jumps = line->n_jumps;
	bool shown = !layout->use_offset || jumps ||
		     (layout->offset_level > 1 && line->flow.kind == FLOW_CALL) ||
		     layout->offset_level > 2;

	text_add_char(out, ' ');
	if (p->jumps_width && jumps)
		text_addf(out, "%-*u", (int)p->jumps_width, jumps);
	else
		text_addf(out, "%*s", (int)p->jumps_width, "");
	if (shown && (!p->view->raw || !layout->use_offset))
		text_addf(out, "%*" PRIx64 ": ", (int)p->offset,
			  layout->use_offset ? line->addr - p->listing->start : line->addr);
	else
		text_addf(out, "%*s", (int)p->offset + 2, "");
}

static const char *arrow_of(const struct printing *p, const struct listing_line *line)
{
	if (p->view->raw)
		return " ";
	if (line->jumps_within)
		return line->flow.target > line->addr ? "↓" : "↑";
	return line->flow.kind == FLOW_CALL || line->flow.kind == FLOW_JUMP ? "→"
	       : line->flow.kind == FLOW_RETURN                             ? "←"
									    : " ";
}

/* Where a line leads to: an offset, a name, or the address with the name of what is there. */
static void add_target(const struct printing *p, struct text *out, const struct listing_line *line)
{
	bool leaves = line->flow.kind == FLOW_JUMP;

	if (line->jumps_within && !p->view->raw)
		text_addf(out, "%" PRIx64, line->flow.target - p->listing->start);
	else if (line->target && !leaves)
		escape_terminal(out, line->target, strlen(line->target));
	else {
		text_addf(out, "%" PRIx64, line->flow.target);
		if (line->target) {
			text_add(out, " <");
			escape_terminal(out, line->target, strlen(line->target));
			text_add_char(out, '>');
		}
	}
}

/* "0x2ec2(%rip)" is the name of what is there. False: there is no such operand, or no name. */
static bool add_relative(const struct printing *p, struct text *out,
			 const struct listing_line *line, const char *operands)
{
	const char *rip = strstr(operands, "(%rip)"), *number = rip;

	if (!rip || !line->target || p->view->raw)
		return false;
	while (number > operands && strchr("0123456789abcdefx-", number[-1]))
		number--;
	text_add_bytes(out, operands, (size_t)(number - operands));
	text_add(out, line->target);
	text_add(out, rip + strlen("(%rip)"));
	return true;
}

static void add_operands(struct printing *p, struct text *out, const struct listing_line *line)
{
	const char *operands = line->text + name_length(line);
	bool is_jump = line->flow.kind == FLOW_JUMP && line->flow.has_target && !p->view->raw;

	text_clear(&p->scratch);
	operands += strspn(operands, "\t ");
	if (!add_relative(p, &p->scratch, line, operands)) {
		text_add(&p->scratch, operands);
		if (line->flow.has_target) {
			text_add(&p->scratch, line->lead);
			add_target(p, &p->scratch, line);
		}
	}
	if (!is_jump && line->comment)
		text_add(&p->scratch, line->comment);
	annotate_add_expanded(out, out->length, p->scratch.chars, p->scratch.length);
}

/* With bytes, they take the place of the name. */
static void add_raw(struct printing *p, struct text *out, const struct listing_line *line)
{
	size_t from;

	if (p->listing->arch->instruction_size)
		for (size_t i = line->n_bytes; i-- > 0;)
			text_addf(out, "%02x", line->bytes[i]);
	else
		for (size_t i = 0; i < line->n_bytes; i++)
			text_addf(out, "%s%02x", i ? " " : "", line->bytes[i]);
	text_add_char(out, ' ');
	from = out->length;
	annotate_add_expanded(out, from, line->text, name_length(line));
	if (line->text[name_length(line)] || line->flow.has_target) {
		do
			text_add_char(out, ' ');
		while ((out->length - from) % 8);
		add_operands(p, out, line);
	}
}

static void add_code(struct printing *p, struct text *out, const struct listing_line *line)
{
	size_t from;

	add_figures(p, out, line);
	add_offset(p, out, line);
	text_addf(out, "%s ", arrow_of(p, line));
	from = out->length;
	if (p->view->raw) {
		add_raw(p, out, line);
	} else if (line->text[name_length(line)] || line->flow.has_target) {
		text_add_bytes(out, line->text, name_length(line));
		text_pad(out, from, p->name + 1, 0, ' ');
		add_operands(p, out, line);
	} else {
		text_add_bytes(out, line->text, name_length(line));
	}
	end_line(out, from, p->name + p->figures + 3);
}

void annotate_stdio2_add(struct text *out, const struct annotate_view *v, const struct listing *l)
{
	struct printing p = { .view = v, .listing = l, .scratch = TEXT_EMPTY };

	measure(&p);
	add_title(&p, out);
	add_head(&p, out);
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];

		if (listing_line_is_code(line))
			add_code(&p, out, line);
		else if (line->kind != LISTING_PLACE || line->text[0] != '/')
			add_note(&p, out, line);
	}
	text_done(&p.scratch);
}
