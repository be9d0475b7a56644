/* SPDX-License-Identifier: MIT */
/* Draws the browser of code. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/listing-share.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "tui/annotate-state.h"

/* The share, in percent, from which on a number is highlighted. */
#define SHARE_LARGE 5.0

static enum style tui_annotate_draw_style_of(double percent)
{
	return percent >= SHARE_LARGE  ? STYLE_TOP
	       : percent > SHARE_SMALL ? STYLE_MEDIUM
				       : STYLE_NORMAL;
}

static void draw_figures(struct annotate_panel *a, struct screen *s, struct area row,
			 const struct listing_line *line)
{
	struct text out = TEXT_EMPTY;
	int x = 0;

	if (!line_text_has_figures(&a->text, line))
		return;
	for (size_t e = 0; e < a->view.whole.n_events; e++) {
		double percent = listing_share(&a->code->listing, line, e, &a->view.whole);

		text_clear(&out);
		line_text_add_figure(&a->text, &out, line, e);
		x = screen_put(s, row, 0, x, tui_annotate_draw_style_of(percent), out.chars, -1);
	}
	text_done(&out);
}

/* Draws cycles. Numbers below 10 leave space for the line before them. */
static void draw_cycles(struct annotate_panel *a, struct screen *s, struct area row,
			const struct listing_line *line)
{
	struct text out = TEXT_EMPTY;

	if (!line->cycles)
		return;
	line_text_add_cycles(&a->text, &out, line);
	screen_put(s, row, 0, (int)a->text.figures, STYLE_NORMAL, out.chars, -1);
	text_done(&out);
}

static const char *arrow_of(struct screen *s, enum line_arrow arrow)
{
	static const enum glyph glyphs[] = {
		[LINE_ARROW_UP] = GLYPH_UP,
		[LINE_ARROW_DOWN] = GLYPH_DOWN,
		[LINE_ARROW_AWAY] = GLYPH_RIGHT,
		[LINE_ARROW_BACK] = GLYPH_LEFT,
	};

	return arrow == LINE_ARROW_NONE ? " " : screen_glyph(s, glyphs[arrow]);
}

/* Draws the visible part of the jump under the cursor in a row, in the columns before the code. */
static void draw_jump(struct screen *s, struct area row, int x, enum jump_part part)
{
	bool is_top = part == JUMP_FROM_ABOVE || part == JUMP_TO_ABOVE;
	bool ends = part == JUMP_TO_ABOVE || part == JUMP_TO_BELOW;

	if (part == JUMP_NOTHING)
		return;
	if (part == JUMP_PASSES) {
		screen_put(s, row, 0, x, STYLE_JUMP, screen_glyph(s, GLYPH_VERTICAL), -1);
		return;
	}
	x = screen_put(s, row, 0, x, STYLE_JUMP,
		       screen_glyph(s, is_top ? GLYPH_TOP_LEFT : GLYPH_BOTTOM_LEFT), -1);
	x = screen_put(s, row, 0, x, STYLE_JUMP, screen_glyph(s, GLYPH_HORIZONTAL), -1);
	screen_put(s, row, 0, x, STYLE_JUMP, screen_glyph(s, ends ? GLYPH_RIGHT : GLYPH_HORIZONTAL),
		   -1);
}

/* Draws the text of a row, with the searched text highlighted. */
static void draw_text(struct annotate_panel *a, struct screen *s, const struct list_row *row, int x)
{
	struct text out = TEXT_EMPTY;
	const char *match;

	annotate_row_add(&a->text, &a->rows, row->index, &out);
	if (out.length)
		screen_put(s, row->area, 0, x, STYLE_NORMAL, out.chars, -1);
	match = out.length && a->part ? strcasestr(out.chars, a->part) : NULL;
	if (match)
		screen_put(s, row->area, 0,
			   x + screen_text_width(s, out.chars, (int)(match - out.chars)),
			   STYLE_MATCH, match, (int)strlen(a->part));
	text_done(&out);
}

static void draw_offset(struct annotate_panel *a, struct screen *s, const struct list_row *row,
			const struct listing_line *line, int *x)
{
	struct text out = TEXT_EMPTY;

	line_text_add_offset(&a->text, &out, line);
	*x = screen_put(s, row->area, 0, *x, STYLE_ADDRESS, out.chars, -1);
	text_done(&out);
	if (!listing_line_is_code(line))
		return;
	screen_put(s, row->area, 0, *x, STYLE_JUMP, arrow_of(s, line_text_arrow(&a->text, line)),
		   -1);
	*x += 2;
}

int annotate_arrow_column(const struct annotate_panel *a)
{
	return (int)(a->text.figures + a->text.cycles + a->text.jumps_width + a->text.offset) + 2;
}

static void tui_annotate_draw_row(void *arg, struct screen *s, const struct list_row *row)
{
	static const struct listing_line none = { .kind = LISTING_PLACE };
	struct annotate_panel *a = arg;
	int32_t item = a->rows.items[row->index];
	const struct listing_line *line = item < 0 ? &none : &a->code->listing.items[item];
	int x = (int)a->text.figures, jump_x;

	draw_figures(a, s, row->area, line);
	draw_cycles(a, s, row->area, line);
	screen_put(s, row->area, 0, x, STYLE_NORMAL, screen_glyph(s, GLYPH_VERTICAL), -1);
	x += (int)a->text.cycles + 1;
	jump_x = annotate_arrow_column(a);
	draw_offset(a, s, row, line, &x);
	draw_text(a, s, row, x);
	draw_jump(s, row->area, jump_x, annotate_jump_part(&a->jump, row->index));
	if (row->is_selected)
		screen_restyle(s, row->area, STYLE_SELECTED);
}

static void draw_titles(struct annotate_panel *a, struct screen *s, struct area area)
{
	const struct code_listing *code = a->code;
	struct text out = TEXT_EMPTY;

	area.height = 2;
	if (!a->samples)
		return;
	line_text_add_title(&out, &a->view);
	screen_put(s, area, 0, 0, STYLE_ROOT, out.chars, -1);
	if (code)
		screen_putf(s, area, 1, 0, STYLE_ROOT, "%s  %s [Percent: %s]", code->sym->name,
			    image_long_name(code->image), annotate_base_name(a->view.whole.base));
	text_done(&out);
}

static void draw_failure(struct screen *s, struct area area, const struct diag *why)
{
	screen_put(s, area, 1, 2, STYLE_NORMAL, why->message ? why->message : "", -1);
	for (const char *line = why->hint; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		screen_put(s, area, 3, 2, STYLE_NORMAL, line, (int)strcspn(line, "\n"));
		area.y++;
		area.height--;
	}
}

/* Draws a message if there is no code yet, or none at all. */
static void draw_instead(struct annotate_panel *a, struct screen *s, struct area area)
{
	uint64_t done, total;

	code_functions_progress(a->functions, &done, &total);
	if (a->has_failed)
		draw_failure(s, area, &a->failure);
	else if (a->code && !a->waits)
		draw_failure(s, area, &a->code->why);
	else if (a->samples)
		screen_put(s, area, 1, 2, STYLE_DIM, "Reading the code ...", -1);
	else
		screen_putf(s, area, 1, 2, STYLE_DIM, "Reading samples ... %d%%",
			    total ? (int)(done * 100 / total) : 0);
}

static void tui_annotate_draw_centre(struct annotate_panel *a, struct area area)
{
	size_t half = (size_t)area.height / 2;

	if (a->centres)
		a->list.top = a->list.cursor > half ? a->list.cursor - half : 0;
	a->centres = false;
}

/* Draws headings in the first row, if that row has no figures. */
static void tui_annotate_draw_heads(struct annotate_panel *a, struct screen *s, struct area area)
{
	int32_t item = a->rows.n ? a->rows.items[a->list.top] : -1;
	const struct listing_line *line = item < 0 ? NULL : &a->code->listing.items[item];
	enum style style = a->list.cursor == a->list.top ? STYLE_SELECTED : STYLE_ROOT;
	struct text out = TEXT_EMPTY;

	area.height = 1;
	if (!line || !line_text_has_figures(&a->text, line))
		screen_put(s, area, 0, 0, style, line_text_head(&a->view), -1);
	if (a->text.cycles && (!line || !line->cycles)) {
		line_text_add_cycles_head(&a->text, &out);
		screen_put(s, area, 0, (int)a->text.figures + 1, style, out.chars + 1, -1);
	}
	text_done(&out);
}

/* Draws the status line: the effect of Enter, and where to find help. */
static void tui_annotate_draw_status(struct annotate_panel *a)
{
	const struct listing_line *line = annotate_current(a);
	struct text out = TEXT_EMPTY;

	text_add(&out, "Press 'h' for help on key bindings");
	if (line && line->jumps_within)
		text_addf(&out, ", ENTER to follow the jump to %" PRIx64,
			  line->flow.target - a->code->listing.start);
	else if (line && line->target && line->flow.kind == FLOW_CALL)
		text_addf(&out, ", ENTER to go into %s", line->target);
	else if (a->back.n)
		text_add(&out, ", q to go back to the caller");
	panels_status(a->panel.panels, out.chars);
	text_done(&out);
}

void annotate_draw(struct panel *p, struct screen *s)
{
	struct annotate_panel *a = annotate_panel_of(p);
	struct area area = panels_area(p->panels);

	tui_annotate_draw_status(a);
	draw_titles(a, s, area);
	area.y += 2;
	area.height -= 2;
	if (area.height < 1)
		return;
	if (a->has_failed || !annotate_has_lines(a)) {
		draw_instead(a, s, area);
		return;
	}
	tui_annotate_draw_centre(a, area);
	list_settle(&a->list, a->rows.n, area);
	a->jump = (struct annotate_jump){ 0 };
	if (a->view.layout.jump_arrows)
		a->jump = annotate_rows_jump(&a->rows, &a->code->listing, a->list.cursor);
	list_draw(&a->list, s, tui_annotate_draw_row, a);
	tui_annotate_draw_heads(a, s, area);
}
