/* SPDX-License-Identifier: MIT */
#include "view/diff/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/diff.h"
#include "profile/report-plan.h"
#include "view/diff/keys.h"
#include "view/report/cells.h"

/* More digits than these are given their room, but the column is not widened for them. */
#define WIDTH_NUMBER  14
#define WIDTH_FORMULA 70

/* A column that is not a key: one of a side. */
struct column {
	void (*print)(const struct diff *d, const struct diff_row *row, const struct column *c,
		      struct text *out);
	char *title;
	size_t side;
	size_t width;
	bool is_value; /* its size decides the colour */
};

struct columns {
	struct column *items;
	size_t n, room;
};

static void columns_done(struct columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->items[i].title);
	free(c->items);
}

static void print_baseline(const struct diff *d, const struct diff_row *row, const struct column *c,
			   struct text *out)
{
	(void)c;
	if (row->cells[0].is_there)
		text_addf(out, "%.2f%%", diff_shown_share(d, row));
}

static void print_period(const struct diff *d, const struct diff_row *row, const struct column *c,
			 struct text *out)
{
	(void)d;
	/* The baseline's is 0 if there is none, and not unknown. */
	if (row->cells[c->side].is_there || !c->side)
		text_addf(out, "%" PRIu64, row->cells[c->side].period);
}

static void print_value(const struct diff *d, const struct diff_row *row, const struct column *c,
			struct text *out)
{
	const struct diff_cell *cell = &row->cells[c->side];

	if (!cell->is_there)
		return;
	if (!cell->is_known)
		text_add(out, "N/A");
	else if (d->options->compute == DIFF_RATIO)
		text_addf(out, "%*.6f", WIDTH_NUMBER, cell->value);
	else if (d->options->compute == DIFF_WDIFF)
		text_addf(out, "%*" PRId64, WIDTH_NUMBER,
			  diff_weighted(d->options, row->cells[0].period, cell->period));
	else
		text_addf(out, "%+.2f%%", cell->value);
}

static void print_formula(const struct diff *d, const struct diff_row *row, const struct column *c,
			  struct text *out)
{
	const struct diff_cell *cell = &row->cells[c->side];
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
			  other, d->totals[c->side], base, d->totals[0]);
	}
}

static const struct {
	const char *title;
	size_t width;
} values[] = {
	[DIFF_DELTA_ABS] = { "Delta Abs", 7 },
	[DIFF_DELTA] = { "Delta", 7 },
	[DIFF_RATIO] = { "Ratio", WIDTH_NUMBER },
	[DIFF_WDIFF] = { "Weighted diff", WIDTH_NUMBER },
};

static void add(struct columns *columns, const struct diff *d, const char *title, struct column c)
{
	size_t length;

	c.title = d->n_sides > 2 ? xasprintf("%s/%zu", title, c.side) : xstrdup(title);
	length = strlen(c.title);
	c.width = c.width > length ? c.width : length;
	*ARRAY_ADD(columns) = c;
}

static void make_columns(const struct diff_view *v, const struct diff *d, struct columns *ret)
{
	enum diff_compute compute = d->options->compute;

	add(ret, d, "Baseline",
	    (struct column){ .print = print_baseline, .width = 8, .is_value = true });
	if (v->periods)
		add(ret, d, "Base period",
		    (struct column){ .print = print_period, .width = WIDTH_NUMBER });
	for (size_t i = 1; i < d->n_sides; i++) {
		add(ret, d, values[compute].title,
		    (struct column){ .print = print_value,
				     .side = i,
				     .width = values[compute].width,
				     .is_value = true });
		if (v->formulas)
			add(ret, d, "Formula",
			    (struct column){
				    .print = print_formula, .side = i, .width = WIDTH_FORMULA });
		if (v->periods)
			add(ret, d, "Period",
			    (struct column){
				    .print = print_period, .side = i, .width = WIDTH_NUMBER });
	}
}

struct pen {
	const struct diff_view *view;
	const struct diff *diff;
	struct columns columns;
	struct diff_keys keys;
	struct text cell;
};

static void pen_done(struct pen *p)
{
	columns_done(&p->columns);
	diff_keys_done(&p->keys);
	text_done(&p->cell);
}

static const char *colour_of(const struct pen *p, const struct column *c,
			     const struct diff_row *row)
{
	const struct diff_cell *cell = &row->cells[c->side];

	if (!c->is_value || !cell->is_there || (c->side && !cell->is_known))
		return "";
	return report_share_colour(&p->keys.view,
				   c->side ? fabs(cell->value) : diff_shown_share(p->diff, row));
}

/* With a separator cells are filled up behind what they show, and shares have no sign. */
static void add_separated(struct pen *p, const struct column *c)
{
	struct text *out = &p->keys.pen.out;
	size_t n = p->cell.length;

	if (n && !c->side && c->is_value)
		n--;
	text_add_bytes(out, p->cell.chars, n);
	text_addf(out, "%*s", (int)(n < c->width ? c->width - n : 0), "");
}

/* What is as wide as numbers are stands to the left of a wider column; all else to the right. */
static void add_cell(struct pen *p, const struct column *c, const struct diff_row *row)
{
	const char *colour = colour_of(p, c, row), *end = *colour ? "\033[m" : "";
	struct text *out = &p->keys.pen.out;
	int pad;

	text_clear(&p->cell);
	c->print(p->diff, row, c, &p->cell);
	pad = p->cell.length < c->width ? (int)(c->width - p->cell.length) : 0;
	if (p->view->separator)
		add_separated(p, c);
	else if (c->is_value && p->cell.length == WIDTH_NUMBER)
		text_addf(out, "%s%s%s%*s", colour, p->cell.chars, end, pad, "");
	else
		text_addf(out, "%s%*s%s%s", colour, pad, "", p->cell.chars, end);
}

static void print_row(struct pen *p, const struct diff_row *row)
{
	struct report_pen *pen = &p->keys.pen;

	text_add(&pen->out, p->view->separator ? "" : "  ");
	for (size_t i = 0; i < p->columns.n; i++) {
		add_cell(p, &p->columns.items[i], row);
		text_add(&pen->out, report_gap(pen->view));
	}
	report_cells_print(pen, &p->keys.cells, &row->entry, false);
	text_add_char(&pen->out, '\n');
}

static void print_heads(struct pen *p)
{
	struct report_pen *pen = &p->keys.pen;

	text_add(&pen->out, "# ");
	for (size_t i = 0; i < p->columns.n; i++)
		text_addf(&pen->out, "%*s%s", (int)p->columns.items[i].width,
			  p->columns.items[i].title, report_gap(pen->view));
	report_cells_print_titles(pen, &p->keys.cells);
	text_add_char(&pen->out, '\n');
	if (p->view->separator)
		return;
	text_add(&pen->out, "# ");
	for (size_t i = 0; i < p->columns.n; i++) {
		for (size_t k = 0; k < p->columns.items[i].width; k++)
			text_add_char(&pen->out, '.');
		text_add(&pen->out, report_gap(pen->view));
	}
	report_cells_print_dots(pen, &p->keys.cells);
	text_add(&pen->out, "\n#\n");
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
	_cleanup_(pen_done) struct pen p = { .view = v, .diff = d, .cell = TEXT_EMPTY };
	int r = 0;

	make_columns(v, d, &p.columns);
	diff_keys_init(&p.keys, out,
		       &(struct report_view){ .plan = v->plan,
					      .separator = v->separator,
					      .escape = v->escape,
					      .colour = v->colour },
		       d);
	if (!v->quiet) {
		diff_title_add(&p.keys.pen.out, v, d->n_sides, event, nth);
		print_heads(&p);
	}
	for (size_t i = 0; i < d->n && r >= 0; i++) {
		print_row(&p, &d->rows[i]);
		r = report_pen_flush(&p.keys.pen, false);
	}
	return r < 0 ? r : report_pen_flush(&p.keys.pen, true);
}
