/* SPDX-License-Identifier: MIT */
#include "tools/diff/cycles-view.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/diff/cycles-model.h"
#include "tools/diff/text-view.h"
#include "view/report/branches.h"

#define TITLE           "[Program Block Range] Cycles Diff"
#define TITLE_HISTOGRAM "stddev/Hist"

enum {
	WIDTH_RANGE = 70,
	WIDTH_HISTOGRAM = 8 + BLOCK_BINS,
};

struct diff_cycles_model {
	const struct diff_view *view;
	const struct diff_cycles *cycles;
};

static void diff_cycles_print_share(struct cell *at, struct text *out)
{
	const struct diff_cycles_model *m = at->model;
	const struct diff_cycles_row *row = at->row;

	if (row->row->cells[0].is_there)
		text_addf(out, "%.2f%%", diff_shown_share(m->cycles->diff, row->row));
}

static void print_change(struct cell *at, struct text *out)
{
	const struct diff_cycles_row *row = at->row;
	size_t side = at->column->index;

	if (!row->blocks[side])
		return;
	branch_block_range_text(row->blocks[0], false, out);
	text_addf(out, " %4" PRId64, diff_cycles_change(row, side));
}

/* Adds a column for each power of two up to the highest; its height is the frequency. */
static void add_bins(const struct diff_view *v, const struct branch_block *b, struct text *out)
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

		if (v->ascii)
			text_add_char(out, height ? (char)('0' + height) : '.');
		else
			text_add(out, height ? heights[height - 1] : " ");
	}
}

static void diff_cycles_print_histogram(struct cell *at, struct text *out)
{
	const struct diff_view *v = ((const struct diff_cycles_model *)at->model)->view;
	const struct diff_cycles_row *row = at->row;
	const struct branch_block *b = row->blocks[at->column->index];

	if (!b)
		return;
	text_addf(out, "%s%.1f%% ", v->ascii ? "+-" : "\u00b1", branch_block_deviation(b));
	add_bins(v, b, out);
}

static void diff_cycles_add(struct diff_columns *columns, const char *title, size_t side,
			    size_t width, void (*print)(struct cell *, struct text *))
{
	diff_columns_add(columns, (struct column){ .title = title,
						   .align = ALIGN_RIGHT,
						   .title_align = ALIGN_RIGHT,
						   .width = width,
						   .print = print,
						   .index = side });
}

static void diff_cycles_make_columns(struct diff_columns *ret, size_t n_sides, bool histograms)
{
	diff_cycles_add(ret, "Baseline", 0, 0, diff_cycles_print_share);
	for (size_t side = 1; side < n_sides; side++) {
		diff_cycles_add(ret, TITLE, side, WIDTH_RANGE, print_change);
		if (histograms)
			diff_cycles_add(ret, TITLE_HISTOGRAM, side, WIDTH_HISTOGRAM,
					diff_cycles_print_histogram);
	}
}

int diff_cycles_print(FILE *out, const struct diff_view *v, const struct diff_cycles *c,
		      bool histograms, const char *event, size_t nth)
{
	const struct diff_cycles_model model = { .view = v, .cycles = c };
	_cleanup_(diff_columns_done) struct diff_columns columns = {
		.numbered = c->diff->n_sides > 2, .model = &model, .escape = true
	};
	_cleanup_(diff_text_done) struct diff_text t;
	int r = 0;

	diff_cycles_make_columns(&columns, c->diff->n_sides, histograms);
	diff_text_init(&t, out, v, c->diff, &columns);
	if (!v->form.quiet) {
		diff_title_add(&t.out, v, c->diff->n_sides, event, nth);
		diff_text_add_heads(&t);
	}
	for (size_t i = 0; i < c->n && r >= 0; i++) {
		diff_text_add_row(&t, &c->rows[i], &c->rows[i].row->entry);
		r = diff_text_flush(&t, false);
	}
	return r < 0 ? r : diff_text_flush(&t, true);
}
