/* SPDX-License-Identifier: MIT */
#include "tools/diff/table-view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/report-plan.h"
#include "tools/diff/diff-model.h"
#include "tools/diff/text-view.h"

/*
 * Numbers with more digits than this are printed in full, but the column is not widened for them.
 */
#define WIDTH_NUMBER  14
#define WIDTH_FORMULA 70

/* The data from which the cells of a row are made. */
struct diff_table_model {
	const struct diff *diff;
	const struct report_view *view;
};

static void print_baseline(struct cell *at, struct text *out)
{
	const struct diff_table_model *m = at->model;
	const struct diff_row *row = at->row;

	if (row->cells[0].is_there)
		text_addf(out, "%.2f%%", diff_shown_share(m->diff, row));
}

static void print_period(struct cell *at, struct text *out)
{
	const struct diff_row *row = at->row;
	size_t side = at->column->index;

	/* The baseline's period is 0 if there is none, not unknown. */
	if (row->cells[side].is_there || !side)
		text_addf(out, "%" PRIu64, row->cells[side].period);
}

static void diff_table_print_value(struct cell *at, struct text *out)
{
	const struct diff_options *o = ((const struct diff_table_model *)at->model)->diff->options;
	const struct diff_row *row = at->row;
	const struct diff_cell *cell = &row->cells[at->column->index];

	if (!cell->is_there)
		return;
	if (!cell->is_known)
		text_add(out, "N/A");
	else if (o->compute == DIFF_RATIO)
		text_addf(out, "%*.6f", WIDTH_NUMBER, cell->value);
	else if (o->compute == DIFF_WDIFF)
		text_addf(out, "%*" PRId64, WIDTH_NUMBER,
			  diff_weighted(o, row->cells[0].period, cell->period));
	else
		text_addf(out, "%+.2f%%", cell->value);
}

static void print_formula(struct cell *at, struct text *out)
{
	const struct diff *d = ((const struct diff_table_model *)at->model)->diff;
	const struct diff_row *row = at->row;
	const struct diff_cell *cell = &row->cells[at->column->index];
	uint64_t base = row->cells[0].period, other = cell->period;

	if (!cell->is_there)
		return;
	switch (d->options->compute) {
	case DIFF_RATIO:
		text_addf(out, "%" PRIu64 " / %" PRIu64, other, base);
		break;
	case DIFF_WDIFF:
		text_addf(out, "(%" PRIu64 " * %" PRId64 ") - (%" PRIu64 " * %" PRId64 ")", other,
			  d->options->weight_other, base, d->options->weight_base);
		break;
	default:
		text_addf(out,
			  "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %" PRIu64 ")",
			  other, d->totals[at->column->index], base, d->totals[0]);
	}
}

/* Returns the colour of a column, for columns in which the size decides the colour. */
static const char *diff_table_colour_of(const struct cell *at)
{
	const struct diff_table_model *m = at->model;
	const struct diff_row *row = at->row;
	size_t side = at->column->index;
	const struct diff_cell *cell = &row->cells[side];

	if (at->column->print == print_baseline)
		return cell->is_there ? report_share_colour(m->view, diff_shown_share(m->diff, row))
				      : "";
	if (at->column->print != diff_table_print_value || !cell->is_there || !cell->is_known)
		return "";
	return report_share_colour(m->view, fabs(cell->value));
}

static void diff_table_add_blanks(struct text *out, size_t n)
{
	text_addf(out, "%*s", (int)n, "");
}

/*
 * Draws a cell. A value that is as wide as numbers are is left-aligned in a wider column, and so is
 * everything between separators, where the baseline has no percent sign; all other cells are
 * right-aligned.
 */
static size_t diff_table_draw(const struct cell *at, size_t width, struct text *out)
{
	const struct diff_table_model *m = at->model;
	const struct column *c = at->column;
	const char *colour = diff_table_colour_of(at);
	struct text *t = at->scratch;
	bool left;
	size_t n;

	c->print(&(struct cell){ .column = c, .row = at->row, .model = m }, t);
	left = m->view->form.separator ||
	       (c->print == diff_table_print_value && t->length == WIDTH_NUMBER);
	n = t->length;
	if (n && m->view->form.separator && c->print == print_baseline)
		n--;
	text_add(out, colour);
	diff_table_add_blanks(out, left || n >= width ? 0 : width - n);
	text_add_bytes(out, t->chars, n);
	text_add(out, *colour ? "\033[m" : "");
	return left || n >= width ? n : width;
}

static void diff_table_add(struct diff_columns *columns, const char *title, size_t side,
			   size_t width, void (*print)(struct cell *, struct text *))
{
	diff_columns_add(columns, (struct column){ .title = title,
						   .flags = COLUMN_PADDED | COLUMN_BYTES,
						   .title_align = ALIGN_RIGHT,
						   .width = width,
						   .print = print,
						   .draw = diff_table_draw,
						   .index = side });
}

static void diff_table_make_columns(const struct diff_view *v, const struct diff *d,
				    struct diff_columns *ret)
{
	static const struct {
		const char *title;
		size_t width;
	} values[] = {
		[DIFF_DELTA_ABS] = { "Delta Abs", 7 },
		[DIFF_DELTA] = { "Delta", 7 },
		[DIFF_RATIO] = { "Ratio", WIDTH_NUMBER },
		[DIFF_WDIFF] = { "Weighted diff", WIDTH_NUMBER },
	};
	enum diff_compute compute = d->options->compute;

	diff_table_add(ret, "Baseline", 0, 8, print_baseline);
	if (v->periods)
		diff_table_add(ret, "Base period", 0, WIDTH_NUMBER, print_period);
	for (size_t i = 1; i < d->n_sides; i++) {
		diff_table_add(ret, values[compute].title, i, values[compute].width,
			       diff_table_print_value);
		if (v->formulas)
			diff_table_add(ret, "Formula", i, WIDTH_FORMULA, print_formula);
		if (v->periods)
			diff_table_add(ret, "Period", i, WIDTH_NUMBER, print_period);
	}
}

void diff_title_add(struct text *out, const struct diff_view *v, size_t n_sides, const char *event,
		    size_t nth)
{
	text_add(out, nth ? "\n# Event '" : "# Event '");
	escape_terminal(out, event, strlen(event));
	text_add(out, "'\n#\n");
	if (n_sides < 3 && !v->lists_files)
		return;
	text_add(out, "# Data files:\n");
	for (size_t i = 0; i < n_sides; i++) {
		text_addf(out, "#  [%zu] ", i);
		escape_terminal(out, v->files[i], strlen(v->files[i]));
		text_add(out, i ? " \n" : " (Baseline)\n");
	}
	text_add(out, "#\n");
}

int diff_print(FILE *out, const struct diff_view *v, const struct diff *d, const char *event,
	       size_t nth)
{
	_cleanup_(diff_text_done) struct diff_text t;
	const struct diff_table_model model = { .diff = d, .view = &t.view };
	_cleanup_(diff_columns_done) struct diff_columns columns = { .numbered = d->n_sides > 2,
								     .model = &model };
	int r = 0;

	diff_table_make_columns(v, d, &columns);
	diff_text_init(&t, out, v, d, &columns);
	if (!v->form.quiet) {
		diff_title_add(&t.out, v, d->n_sides, event, nth);
		diff_text_add_heads(&t);
	}
	for (size_t i = 0; i < d->n && r >= 0; i++) {
		diff_text_add_row(&t, &d->rows[i], &d->rows[i].entry);
		r = diff_text_flush(&t, false);
	}
	return r < 0 ? r : diff_text_flush(&t, true);
}
