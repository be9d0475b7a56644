/* SPDX-License-Identifier: MIT */
#include "view/diff/repeats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/plain-number.h"
#include "base/text.h"
#include "profile/diff-repeats.h"
#include "view/stat/compare-text.h"
#include "view/diff/keys.h"

/* Of the columns, their titles apart. */
enum {
	WIDTH_SHARE = 8,
	WIDTH_VALUE = 9,
	WIDTH_INTERVAL = 8,
	WIDTH_MARK = 3,
};

struct pen {
	const struct diff_view *view;
	const struct diff_repeats *repeats;
	struct diff_keys keys;
	struct text cell;
};

static void pen_done(struct pen *p)
{
	diff_keys_done(&p->keys);
	text_done(&p->cell);
}

static const char *plus_minus(const struct pen *p)
{
	return p->view->ascii ? "+-" : "\u00b1";
}

/* Puts what was made into its column: to the right, or without blanks before a separator. */
static void add_cell(struct pen *p, size_t width)
{
	struct text *out = &p->keys.pen.out;
	size_t n = escape_columns(p->cell.chars, p->cell.length);

	if (!p->view->separator && n < width)
		text_addf(out, "%*s", (int)(width - n), "");
	text_add(out, p->cell.chars);
	text_add(out, report_gap(p->keys.pen.view));
	text_clear(&p->cell);
}

static bool is_of_periods(const struct pen *p)
{
	return p->repeats->diff->options->compute == DIFF_RATIO;
}

static void add_value(struct pen *p, const struct compare_difference *d,
		      const struct compare_row *figures)
{
	if (d->basis == COMPARE_NOT_COUNTED)
		text_add(&p->cell, "-");
	else if (!is_of_periods(p))
		text_addf(&p->cell, "%+.2f%%", d->absolute);
	else if (!d->has_percent)
		text_add(&p->cell, figures->sides[0].mean == 0 ? "N/A" : "-");
	else
		text_addf(&p->cell, "%.4f", 1 + d->percent / 100);
	add_cell(p, WIDTH_VALUE);
}

static void add_interval(struct pen *p, const struct compare_difference *d)
{
	double half = is_of_periods(p) ? d->percent_half_width / 100 : d->half_width;

	if (d->basis == COMPARE_EXACT)
		text_add(&p->cell, "exact");
	else if (d->basis == COMPARE_TESTED && (!is_of_periods(p) || d->has_percent))
		text_addf(&p->cell, is_of_periods(p) ? "%s%.4f" : "%s%.2f%%", plus_minus(p), half);
	add_cell(p, WIDTH_INTERVAL);
}

static const char *mark_of(const struct compare_difference *d)
{
	if (!compare_is_shown(d))
		return "";
	if (d->basis == COMPARE_EXACT)
		return "*";
	return d->q < 0.001 ? "***" : d->q < 0.01 ? "**" : "*";
}

static void print_row(struct pen *p, const struct diff_repeat *row)
{
	struct report_pen *pen = &p->keys.pen;

	text_add(&pen->out, p->view->separator ? "" : "  ");
	if (row->share > 0)
		text_addf(&p->cell, "%.2f%%", row->share);
	add_cell(p, WIDTH_SHARE);
	for (size_t i = 1; i < p->repeats->compare->n_commands; i++) {
		const struct compare_difference *d = &row->figures->differences[i];

		add_value(p, d, row->figures);
		add_interval(p, d);
		text_addf(&p->cell, p->view->separator ? "%s" : "%-3s", mark_of(d));
		add_cell(p, WIDTH_MARK);
	}
	report_cells_print(pen, &p->keys.cells, &row->row->entry, false);
	text_add_char(&pen->out, '\n');
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
	size_t n = p->repeats->compare->n_commands;

	text_add(&pen->out, "# ");
	text_add(&p->cell, "A");
	add_cell(p, WIDTH_SHARE);
	for (size_t i = 1; i < n; i++) {
		text_addf(&p->cell, is_of_periods(p) ? "%c / A" : "%c - A", compare_letter(i));
		add_cell(p, WIDTH_VALUE);
		text_addf(&p->cell, "%s95%%", plus_minus(p));
		add_cell(p, WIDTH_INTERVAL);
		add_cell(p, WIDTH_MARK);
	}
	report_cells_print_titles(pen, &p->keys.cells);
	text_add_char(&pen->out, '\n');
	if (p->view->separator)
		return;
	text_add(&pen->out, "# ");
	add_dots(p, WIDTH_SHARE);
	for (size_t i = 1; i < n; i++) {
		add_dots(p, WIDTH_VALUE);
		add_dots(p, WIDTH_INTERVAL);
		add_dots(p, WIDTH_MARK);
	}
	report_cells_print_dots(pen, &p->keys.cells);
	text_add(&pen->out, "\n#\n");
}

static void add_escaped(struct text *out, const char *s)
{
	escape_terminal(out, s, strlen(s));
}

static void print_title(struct pen *p, FILE *out, const char *event, size_t nth)
{
	const struct compare *c = p->repeats->compare;
	struct text *t = &p->cell;

	text_add(t, nth ? "\n# Event '" : "# Event '");
	add_escaped(t, event);
	text_add(t, "'\n#\n");
	for (size_t i = 0; i < c->n_commands; i++) {
		size_t n = c->commands[i].runs;

		text_addf(t, "#  [%c] ", compare_letter(i));
		add_escaped(t, c->commands[i].name);
		text_addf(t, ": %zu recording%s%s\n", n, n == 1 ? "" : "s", i ? "" : " (Baseline)");
	}
	text_add(t, "#\n");
	fputs(t->chars, out);
	text_clear(t);
}

static void print_whole(const struct pen *p, FILE *out)
{
	const struct diff_repeats *r = p->repeats;
	const struct compare_text_style style = { .colour = p->view->colour,
						  .ascii = p->view->ascii };

	for (size_t i = 1; i < r->compare->n_commands; i++) {
		compare_text_print_table(r->compare, r->n_whole, i, &style, "# ", out);
		fputs("#\n", out);
	}
}

static void note_few(struct pen *p)
{
	struct text *out = &p->keys.pen.out;
	const struct compare *c = p->repeats->compare;

	for (size_t i = 0; i < c->n_commands; i++)
		if (c->commands[i].runs < 2)
			text_addf(out,
				  "# [%c] is a single recording, which does not tell how much it "
				  "varies: nothing is marked.\n",
				  compare_letter(i));
		else if (c->commands[i].runs < COMPARE_FEW_RUNS)
			text_addf(out,
				  "# [%c] has few recordings: %d or more give narrower "
				  "intervals.\n",
				  compare_letter(i), COMPARE_FEW_RUNS);
}

static void print_notes(struct pen *p)
{
	struct text *out = &p->keys.pen.out;

	text_addf(out,
		  "#\n# %s: 95%% confidence interval of the difference of means (Welch's "
		  "t-test).\n",
		  plus_minus(p));
	text_addf(
		out,
		"# * q < 0.05, ** q < 0.01, *** q < 0.001, where q is p corrected for %zu rows\n"
		"# (Benjamini-Hochberg): of the rows with a *, 1 in 20 is expected to be chance.\n",
		p->repeats->n);
	if (!is_of_periods(p))
		text_add(out,
			 "# Shares are of the total of each recording: where one grows, others "
			 "shrink. -c ratio compares periods.\n");
	note_few(p);
}

int diff_repeats_print(FILE *out, const struct diff_view *v, const struct diff_repeats *r,
		       const char *event, size_t nth)
{
	PLAIN_NUMBERS_IN_SCOPE;
	_cleanup_(pen_done) struct pen p = { .view = v, .repeats = r, .cell = TEXT_EMPTY };
	int e = 0;

	diff_keys_init(&p.keys, out,
		       &(struct report_view){
			       .plan = v->plan, .separator = v->separator, .escape = v->escape },
		       r->diff);
	if (!v->quiet) {
		print_title(&p, out, event, nth);
		print_whole(&p, out);
		print_heads(&p);
	}
	for (size_t i = 0; i < r->n && e >= 0; i++) {
		print_row(&p, &r->rows[i]);
		e = report_pen_flush(&p.keys.pen, false);
	}
	if (!v->quiet && !v->separator)
		print_notes(&p);
	return e < 0 ? e : report_pen_flush(&p.keys.pen, true);
}
