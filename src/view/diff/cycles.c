/* SPDX-License-Identifier: MIT */
#include "view/diff/cycles.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/diff-cycles.h"
#include "view/diff/keys.h"
#include "view/report/branches.h"

#define TITLE           "[Program Block Range] Cycles Diff"
#define TITLE_HISTOGRAM "stddev/Hist"

enum {
	WIDTH_SHARE = 10, /* with the number of its side */
	WIDTH_RANGE = 70,
	WIDTH_HISTOGRAM = 8 + BLOCK_BINS,
};

struct pen {
	const struct diff_view *view;
	const struct diff_cycles *cycles;
	bool histograms;
	struct diff_keys keys;
	struct text cell, shown;
};

static void pen_done(struct pen *p)
{
	diff_keys_done(&p->keys);
	text_done(&p->cell);
	text_done(&p->shown);
}

static size_t n_sides(const struct pen *p)
{
	return p->cycles->diff->n_sides;
}

static size_t share_width(const struct pen *p)
{
	return n_sides(p) > 2 ? WIDTH_SHARE : WIDTH_SHARE - 2;
}

static void add_cell(struct pen *p, size_t width)
{
	struct text *out = &p->keys.pen.out;
	size_t n;

	text_clear(&p->shown);
	escape_terminal(&p->shown, p->cell.chars, p->cell.length);
	n = escape_columns(p->shown.chars, p->shown.length);
	if (!p->view->separator && n < width)
		text_addf(out, "%*s", (int)(width - n), "");
	text_add(out, p->shown.chars);
	text_add(out, report_gap(p->keys.pen.view));
	text_clear(&p->cell);
}

static void add_change(struct pen *p, const struct diff_cycles_row *row, size_t side)
{
	if (row->blocks[side]) {
		branch_block_range_text(row->blocks[0], false, &p->cell);
		text_addf(&p->cell, " %4" PRId64, diff_cycles_change(row, side));
	}
	add_cell(p, WIDTH_RANGE);
}

/* The standard deviation in percent of the mean. */
static double deviation(const struct branch_block *b)
{
	double n = (double)b->count, mean = (double)b->cycles / n;
	double variance = n > 1 ? ((double)b->squares - n * mean * mean) / (n - 1) : 0;

	return variance > 0 ? 100 * sqrt(variance) / mean : 0;
}

/* A column for each power of two up to the highest, as high as it is frequent. */
static void add_bins(struct pen *p, const struct branch_block *b)
{
	static const char *const heights[] = { "\u2581", "\u2582", "\u2583", "\u2584",
					       "\u2585", "\u2586", "\u2587", "\u2588" };
	uint32_t most = 1;
	size_t n = 0;

	for (size_t i = 0; i < BLOCK_BINS; i++) {
		most = b->bins[i] > most ? b->bins[i] : most;
		n = b->bins[i] ? i + 1 : n;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t height = ((uint64_t)b->bins[i] * 8 + most - 1) / most;

		if (p->view->ascii)
			text_addf(&p->cell, "%c", height ? '0' + (char)height : '.');
		else
			text_add(&p->cell, height ? heights[height - 1] : " ");
	}
}

static void add_histogram(struct pen *p, const struct branch_block *b)
{
	if (b) {
		text_addf(&p->cell, "%s%.1f%% ", p->view->ascii ? "+-" : "\u00b1", deviation(b));
		add_bins(p, b);
	}
	add_cell(p, WIDTH_HISTOGRAM);
}

static void print_row(struct pen *p, const struct diff_cycles_row *row)
{
	struct report_pen *pen = &p->keys.pen;

	text_add(&pen->out, p->view->separator ? "" : "  ");
	if (row->row->cells[0].is_there)
		text_addf(&p->cell, "%.2f%%", diff_shown_share(p->cycles->diff, row->row));
	add_cell(p, share_width(p));
	for (size_t side = 1; side < n_sides(p); side++) {
		add_change(p, row, side);
		if (p->histograms)
			add_histogram(p, row->blocks[side]);
	}
	report_cells_print(pen, &p->keys.cells, &row->row->entry, false);
	text_add_char(&pen->out, '\n');
}

static void add_title(struct pen *p, const char *title, size_t side, size_t width)
{
	text_add(&p->cell, title);
	if (n_sides(p) > 2)
		text_addf(&p->cell, "/%zu", side);
	add_cell(p, width);
}

static void add_dots(struct pen *p, size_t n)
{
	while (n--)
		text_add_char(&p->cell, '.');
	add_cell(p, 0);
}

static void print_heads(struct pen *p)
{
	struct report_pen *pen = &p->keys.pen;

	text_add(&pen->out, "# ");
	add_title(p, "Baseline", 0, share_width(p));
	for (size_t side = 1; side < n_sides(p); side++) {
		add_title(p, TITLE, side, WIDTH_RANGE);
		if (p->histograms)
			add_title(p, TITLE_HISTOGRAM, side, WIDTH_HISTOGRAM);
	}
	report_cells_print_titles(pen, &p->keys.cells);
	text_add_char(&pen->out, '\n');
	if (p->view->separator)
		return;
	text_add(&pen->out, "# ");
	add_dots(p, share_width(p));
	for (size_t side = 1; side < n_sides(p); side++) {
		add_dots(p, WIDTH_RANGE);
		if (p->histograms)
			add_dots(p, WIDTH_HISTOGRAM);
	}
	report_cells_print_dots(pen, &p->keys.cells);
	text_add(&pen->out, "\n#\n");
}

int diff_cycles_print(FILE *out, const struct diff_view *v, const struct diff_cycles *c,
		      bool histograms, const char *event, size_t nth)
{
	_cleanup_(pen_done) struct pen p = { .view = v,
					     .cycles = c,
					     .histograms = histograms,
					     .cell = TEXT_EMPTY,
					     .shown = TEXT_EMPTY };
	int r = 0;

	diff_keys_init(&p.keys, out,
		       &(struct report_view){
			       .plan = v->plan, .separator = v->separator, .escape = v->escape },
		       c->diff);
	if (!v->quiet) {
		diff_title_add(&p.keys.pen.out, v, c->diff->n_sides, event, nth);
		print_heads(&p);
	}
	for (size_t i = 0; i < c->n && r >= 0; i++) {
		print_row(&p, &c->rows[i]);
		r = report_pen_flush(&p.keys.pen, false);
	}
	return r < 0 ? r : report_pen_flush(&p.keys.pen, true);
}
