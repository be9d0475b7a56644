/* SPDX-License-Identifier: MIT */
#include "view/annotate/line-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "base/digits.h"
#include "base/escape.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "view/report/title.h"

/* The widths of an event's column. */
#define FIGURE_WIDTH 7
#define PERIOD_WIDTH 12

#define IPC_WIDTH         5
#define CYCLES_WIDTH      5
#define CYCLES_LONG_WIDTH 18 /* with minimum and maximum */

/* The number of columns that an instruction's bytes count in place of its name. */
#define RAW_NAME_WIDTH 4

static size_t line_text_name_length(const struct listing_line *line)
{
	return strcspn(line->text, "\t ");
}

static unsigned hex_width(uint64_t v)
{
	char digits[DIGITS_MAX];

	return (unsigned)(digits_hex(digits, v) - digits);
}

/* Returns the difference between shown addresses and link addresses. */
static uint64_t moved_by(const struct line_text *t)
{
	const struct annotated_function *f = t->listing->function;

	if (!t->view->layout.full_addresses || !f->n)
		return 0;
	return f->moved + f->sym->start - t->listing->start;
}

static unsigned cycles_width(const struct annotate_view *v)
{
	return v->layout.extreme_cycles ? CYCLES_LONG_WIDTH : CYCLES_WIDTH;
}

static void line_text_measure(struct line_text *t)
{
	const struct annotate_view *v = t->view;
	const struct listing *l = t->listing;
	uint32_t most = 0;

	t->figure = v->figure == ANNOTATE_PERIOD ? PERIOD_WIDTH : FIGURE_WIDTH;
	t->figures = t->figure * (unsigned)v->whole.n_events;
	t->name = v->raw ? RAW_NAME_WIDTH : 0;
	t->offset = hex_width(v->layout.use_offset ? l->end - l->start : l->end + moved_by(t));
	t->offset = l->is_source ? 0 : t->offset;
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];
		unsigned number = (unsigned)snprintf(NULL, 0, "%u", line->number);

		if (line->kind == LISTING_LINE && number > t->offset)
			t->offset = number;
		if (line->kind == LISTING_CODE && !v->raw && line_text_name_length(line) > t->name)
			t->name = (unsigned)line_text_name_length(line);
		most = line->n_jumps > most ? line->n_jumps : most;
	}
	if (l->has_cycles)
		t->cycles = IPC_WIDTH + 1 + cycles_width(v) + 1;
	if (v->layout.show_jumps)
		t->jumps_width = (unsigned)snprintf(NULL, 0, "%u", most) + 1;
}

void line_text_init(struct line_text *t, const struct annotate_view *v, const struct listing *l)
{
	*t = (struct line_text){ .view = v, .listing = l, .scratch = TEXT_EMPTY };
	line_text_measure(t);
}

void line_text_done(struct line_text *t)
{
	text_done(&t->scratch);
}

const char *line_text_head(const struct annotate_view *v)
{
	static const char *const heads[] = {
		[ANNOTATE_PERCENT] = "Percent",
		[ANNOTATE_SAMPLES] = "Samples",
		[ANNOTATE_PERIOD] = "Period",
	};

	return heads[v->figure];
}

void line_text_add_title(struct text *out, const struct annotate_view *v)
{
	char unit;
	uint64_t samples = report_number_shorten(v->shown[0].samples + v->shown[1].samples, &unit);

	text_addf(out, "Samples: %" PRIu64 "%c of event%s '", samples, unit,
		  v->whole.n_events > 1 ? "s" : "");
	escape_terminal(out, v->event, strlen(v->event));
	text_add(out, "', ");
	if (v->frequency)
		text_addf(out, "%" PRIu64 " Hz, ", v->frequency);
	text_addf(out, "Event count (approx.): %" PRIu64, v->shown[0].period);
}

/* Returns the width of figures and offsets in a line. */
static size_t columns_before(const struct line_text *t)
{
	return t->figures + t->cycles + strlen(" ") + t->offset + strlen("  ");
}

void line_text_add_section(struct text *out, const struct listing *l)
{
	if (l->is_source)
		text_add(out, "Lines of the source:");
	else
		text_addf(out, "Disassembly of section %s:", l->section);
}

void line_text_add_symbol(const struct line_text *t, struct text *out)
{
	const struct listing *l = t->listing;

	if (l->is_source) {
		annotate_add_name(out, t->view, l->name, strlen(l->name),
				  columns_before(t) + strlen(":"));
		text_add_char(out, ':');
		return;
	}
	text_addf(out, "%016" PRIx64 " <", l->start);
	annotate_add_name(out, t->view, l->name, strlen(l->name),
			  columns_before(t) + strlen("0123456789abcdef <>:"));
	text_add(out, ">:");
}

bool line_text_shows(const struct line_text *t, const struct listing_line *line)
{
	const struct annotate_layout *layout = &t->view->layout;

	if (listing_line_weighs(line))
		return true;
	if (layout->hide_source)
		return false;
	return line->kind != LISTING_PLACE || line->text[0] != '/' || layout->show_places;
}

bool line_text_has_figures(const struct line_text *t, const struct listing_line *line)
{
	for (size_t e = 0; line->weights && e < t->view->whole.n_events; e++)
		if (line->weights[e].samples)
			return true;
	return false;
}

void line_text_add_figure(const struct line_text *t, struct text *out,
			  const struct listing_line *line, size_t event)
{
	const struct annotate_view *v = t->view;
	int width = (int)t->figure - 1;

	if (v->figure == ANNOTATE_PERCENT)
		text_addf(out, "%*.2f ", width, listing_share(t->listing, line, event, &v->whole));
	else
		text_addf(out, "%*" PRIu64 " ", width,
			  v->figure == ANNOTATE_SAMPLES ? line->weights[event].samples
							: line->weights[event].period);
}

void line_text_add_cycles(const struct line_text *t, struct text *out,
			  const struct listing_line *line)
{
	const struct listing_cycles *c = line->cycles;
	char cycles[64] = "";

	if (!t->cycles)
		return;
	if (c && c->ipc > 0)
		text_addf(out, "%*.2f ", IPC_WIDTH, c->ipc);
	else
		text_addf(out, "%*s ", IPC_WIDTH, "");
	if (c && t->view->layout.extreme_cycles)
		snprintf(cycles, sizeof(cycles), "%" PRIu64 "(%u/%u)", c->average, c->least,
			 c->most);
	else if (c)
		snprintf(cycles, sizeof(cycles), "%" PRIu64, c->average);
	text_addf(out, "%*s ", (int)cycles_width(t->view), cycles);
}

void line_text_add_cycles_head(const struct line_text *t, struct text *out)
{
	if (t->cycles)
		text_addf(out, "%*s %*s ", IPC_WIDTH, "IPC", (int)cycles_width(t->view),
			  t->view->layout.extreme_cycles ? "Cycle(min/max)" : "Cycle");
}

/* True if the offset of an instruction is shown: at a target, or at every instruction. */
static bool shows_offset(const struct line_text *t, const struct listing_line *line)
{
	const struct annotate_layout *layout = &t->view->layout;

	if (!layout->use_offset)
		return true;
	return !t->view->raw &&
	       (line->n_jumps || (layout->offset_level > 1 && line->flow.kind == FLOW_CALL) ||
		layout->offset_level > 2);
}

static void line_text_add_number(const struct line_text *t, struct text *out,
				 const struct listing_line *line)
{
	int width = (int)t->offset + 2;

	if (!t->view->layout.show_line_numbers)
		text_addf(out, "%*s", width, "");
	else if (line->kind == LISTING_SOURCE && line->number)
		text_addf(out, "%-*u ", width + 1, line->number);
	else
		text_addf(out, "%*s", width + 2, "");
}

void line_text_add_offset(const struct line_text *t, struct text *out,
			  const struct listing_line *line)
{
	const struct listing *l = t->listing;

	if (t->jumps_width && line->n_jumps)
		text_addf(out, "%-*u", (int)t->jumps_width, line->n_jumps);
	else
		text_addf(out, "%*s", (int)t->jumps_width, "");
	if (line->kind == LISTING_LINE)
		text_addf(out, "%*u: ", (int)t->offset, line->number);
	else if (!listing_line_is_code(line))
		line_text_add_number(t, out, line);
	else if (shows_offset(t, line))
		text_addf(out, "%*" PRIx64 ": ", (int)t->offset,
			  t->view->layout.use_offset ? line->addr - l->start
						     : line->addr + moved_by(t));
	else
		text_addf(out, "%*s", (int)t->offset + 2, "");
}

enum line_arrow line_text_arrow(const struct line_text *t, const struct listing_line *line)
{
	if (t->view->raw || !listing_line_is_code(line))
		return LINE_ARROW_NONE;
	if (line->jumps_within)
		return line->flow.target > line->addr ? LINE_ARROW_DOWN : LINE_ARROW_UP;
	if (line->flow.kind == FLOW_CALL || line->flow.kind == FLOW_JUMP)
		return LINE_ARROW_AWAY;
	return line->flow.kind == FLOW_RETURN ? LINE_ARROW_BACK : LINE_ARROW_NONE;
}

/*
 * True if the jump goes to an offset, which is written without the disassembler's text about the
 * target.
 */
static bool jumps_to_offset(const struct line_text *t, const struct listing_line *line)
{
	return line->jumps_within && !t->view->raw && t->view->layout.use_offset;
}

/*
 * Appends the target of a line: an offset, a name, or the address with the name of the symbol
 * there.
 */
static void add_target(const struct line_text *t, struct text *out, const struct listing_line *line)
{
	bool leaves = line->flow.kind == FLOW_JUMP;
	size_t taken = columns_before(t) + t->name + strlen("  ");

	if (jumps_to_offset(t, line))
		text_addf(out, "%" PRIx64, line->flow.target - t->listing->start);
	else if (line->target && !leaves)
		annotate_add_name(out, t->view, line->target, strlen(line->target), taken);
	else {
		text_addf(out, "%" PRIx64, line->flow.target);
		if (line->target) {
			text_add(out, " <");
			annotate_add_name(out, t->view, line->target, strlen(line->target),
					  taken + DIGITS_MAX);
			text_add_char(out, '>');
		}
	}
}

/*
 * Replaces "0x2ec2(%rip)" by the name of the symbol there. False: there is no such operand, or no
 * name.
 */
static bool add_relative(const struct line_text *t, struct text *out,
			 const struct listing_line *line, const char *operands)
{
	const char *rip = strstr(operands, "(%rip)"), *number = rip;

	if (!rip || !line->target || t->view->raw)
		return false;
	while (number > operands && strchr("0123456789abcdefx-", number[-1]))
		number--;
	text_add_bytes(out, operands, (size_t)(number - operands));
	text_add(out, line->target);
	text_add(out, rip + strlen("(%rip)"));
	return true;
}

static void add_operands(struct line_text *t, struct text *out, const struct listing_line *line)
{
	const char *operands = line->text + line_text_name_length(line);
	bool is_jump = line->flow.kind == FLOW_JUMP && line->flow.has_target && !t->view->raw &&
		       t->view->layout.use_offset;

	text_clear(&t->scratch);
	operands += strspn(operands, "\t ");
	if (!add_relative(t, &t->scratch, line, operands)) {
		text_add(&t->scratch, operands);
		if (line->flow.has_target) {
			text_add(&t->scratch, line->lead);
			add_target(t, &t->scratch, line);
		}
	}
	if (!is_jump && line->comment)
		text_add(&t->scratch, line->comment);
	annotate_add_expanded(out, out->length, t->scratch.chars, t->scratch.length);
}

/* Appends an instruction with its bytes, which take the place of the name. */
static void add_raw(struct line_text *t, struct text *out, const struct listing_line *line)
{
	size_t from;

	if (t->listing->arch->instruction_size)
		for (size_t i = line->n_bytes; i-- > 0;)
			text_addf(out, "%02x", line->bytes[i]);
	else
		for (size_t i = 0; i < line->n_bytes; i++)
			text_addf(out, "%s%02x", i ? " " : "", line->bytes[i]);
	text_add_char(out, ' ');
	from = out->length;
	annotate_add_expanded(out, from, line->text, line_text_name_length(line));
	if (line->text[line_text_name_length(line)] || line->flow.has_target) {
		do
			text_add_char(out, ' ');
		while ((out->length - from) % 8);
		add_operands(t, out, line);
	}
}

void line_text_add_code(struct line_text *t, struct text *out, const struct listing_line *line)
{
	size_t from = out->length;

	if (line->kind == LISTING_LINE) {
		annotate_add_expanded(out, from, line->text, line->length);
		return;
	}
	if (t->view->raw) {
		add_raw(t, out, line);
		return;
	}
	text_add_bytes(out, line->text, line_text_name_length(line));
	if (!line->text[line_text_name_length(line)] && !line->flow.has_target)
		return;
	text_pad(out, from, t->name + 1, 0, ' ');
	add_operands(t, out, line);
}

static size_t count_blanks(const struct listing_line *line)
{
	size_t n = 0;

	while (n < line->length && strchr(" \t\f\v", line->text[n]))
		n++;
	return n;
}

bool line_text_is_blank(const struct listing_line *line)
{
	return count_blanks(line) == line->length;
}

void line_text_add_note(const struct line_text *t, struct text *out,
			const struct listing_line *line)
{
	size_t skip = count_blanks(line);

	if (line->kind != LISTING_FUNCTION) {
		annotate_add_expanded(out, out->length, line->text + skip, line->length - skip);
		return;
	}
	annotate_add_name(out, t->view, line->text + skip, line->length - skip,
			  columns_before(t) + strlen("():"));
	text_add(out, memchr(line->text, '(', line->length) ? ":" : "():");
}
