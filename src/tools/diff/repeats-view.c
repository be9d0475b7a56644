/* SPDX-License-Identifier: MIT */
#include "tools/diff/repeats-view.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/plain-number.h"
#include "base/text.h"
#include "tools/diff/fleet-model.h"
#include "tools/diff/hosts-view.h"
#include "tools/diff/repeats-model.h"
#include "tools/diff/text-view.h"
#include "view/stat/compare-text.h"

/* The widths of the columns, without their titles. */
enum {
	WIDTH_SHARE = 8,
	WIDTH_VALUE = 9,
	WIDTH_INTERVAL = 8,
	WIDTH_MARK = 3,
};

struct diff_repeats_model {
	const struct diff_view *view;
	const struct diff_repeats *repeats;
	const struct diff_fleet *fleet; /* NULL: not a fleet */
};

static const char *diff_repeats_plus_minus(const struct diff_view *v)
{
	return v->ascii ? "+-" : "\u00b1";
}

static bool diff_repeats_view_is_of_periods(const struct diff_repeats *r)
{
	return r->diff->options->compute == DIFF_RATIO;
}

static const struct compare_difference *diff_repeats_difference(const struct cell *at)
{
	const struct diff_repeat *row = at->row;

	return &row->figures->differences[at->column->index];
}

static void diff_repeats_print_share(struct cell *at, struct text *out)
{
	const struct diff_repeat *row = at->row;

	if (row->share > 0)
		text_addf(out, "%.2f%%", row->share);
}

static void diff_repeats_print_value(struct cell *at, struct text *out)
{
	const struct compare_difference *d = diff_repeats_difference(at);
	const struct diff_repeat *row = at->row;

	if (d->basis == COMPARE_NOT_COUNTED)
		text_add(out, "-");
	else if (!diff_repeats_view_is_of_periods(
			 ((const struct diff_repeats_model *)at->model)->repeats))
		text_addf(out, "%+.2f%%", d->absolute);
	else if (!d->has_percent)
		text_add(out, row->figures->sides[0].mean == 0 ? "N/A" : "-");
	else
		text_addf(out, "%.4f", 1 + d->percent / 100);
}

static void print_interval(struct cell *at, struct text *out)
{
	const struct compare_difference *d = diff_repeats_difference(at);
	const struct diff_repeats_model *m = at->model;
	bool periods = diff_repeats_view_is_of_periods(m->repeats);
	double half = periods ? d->percent_half_width / 100 : d->half_width;

	if (d->basis == COMPARE_EXACT)
		text_add(out, "exact");
	else if (d->basis == COMPARE_TESTED && (!periods || d->has_percent))
		text_addf(out, periods ? "%s%.4f" : "%s%.2f%%", diff_repeats_plus_minus(m->view),
			  half);
}

static void print_mark(struct cell *at, struct text *out)
{
	const struct compare_difference *d = diff_repeats_difference(at);

	if (compare_is_shown(d))
		text_add(out, d->basis == COMPARE_EXACT ? "*" : compare_mark(d->q));
}

static void diff_repeats_add(struct diff_columns *columns, const char *title, size_t side,
			     size_t width, void (*print)(struct cell *, struct text *))
{
	enum column_align align = print == print_mark ? ALIGN_LEFT : ALIGN_RIGHT;

	diff_columns_add(columns, (struct column){ .title = title,
						   .align = align,
						   .title_align = ALIGN_RIGHT,
						   .width = width,
						   .print = print,
						   .index = side });
}

static void diff_repeats_make_columns(struct diff_columns *ret, const struct diff_repeats_model *m)
{
	_cleanup_(text_done) struct text interval = TEXT_EMPTY;
	char value[] = "B - A";

	text_addf(&interval, "%s95%%", diff_repeats_plus_minus(m->view));
	value[2] = diff_repeats_view_is_of_periods(m->repeats) ? '/' : '-';
	diff_repeats_add(ret, "A", 0, WIDTH_SHARE, diff_repeats_print_share);
	for (size_t i = 1; i < m->repeats->compare->n_commands; i++) {
		value[0] = compare_letter(i);
		diff_repeats_add(ret, value, i, WIDTH_VALUE, diff_repeats_print_value);
		diff_repeats_add(ret, interval.chars, i, WIDTH_INTERVAL, print_interval);
		diff_repeats_add(ret, "", i, WIDTH_MARK, print_mark);
	}
}

static void diff_repeats_add_escaped(struct text *out, const char *s)
{
	escape_terminal(out, s, strlen(s));
}

/* Appends "12 hosts, 1 more left out". */
static void diff_repeats_add_size(struct text *t, const struct diff_repeats_model *m, size_t side)
{
	size_t n = m->repeats->compare->commands[side].runs;

	text_addf(t, "%zu %s%s", n, m->fleet ? "host" : "recording", n == 1 ? "" : "s");
	if (m->fleet && m->fleet->n_out[side])
		text_addf(t, ", %zu more left out: see below", m->fleet->n_out[side]);
}

static void diff_repeats_add_title(struct text *t, const struct diff_repeats_model *m,
				   const char *event, size_t nth)
{
	const struct compare *c = m->repeats->compare;

	text_add(t, nth ? "\n# Event '" : "# Event '");
	diff_repeats_add_escaped(t, event);
	text_add(t, "'\n#\n");
	for (size_t i = 0; i < c->n_commands; i++) {
		text_addf(t, "#  [%c] ", compare_letter(i));
		diff_repeats_add_escaped(t, c->commands[i].name);
		text_add(t, ": ");
		diff_repeats_add_size(t, m, i);
		text_add(t, i ? "\n" : " (Baseline)\n");
	}
	text_add(t, "#\n");
}

static void print_whole(const struct diff_repeats_model *m, FILE *out)
{
	const struct diff_repeats *r = m->repeats;
	const struct compare_text_style style = { .colour = m->view->form.colour,
						  .ascii = m->view->ascii };

	for (size_t i = 1; i < r->compare->n_commands; i++) {
		compare_text_print_table(r->compare, r->n_whole, i, &style, "# ", out);
		fputs("#\n", out);
	}
}

static void diff_repeats_note_few(const struct diff_repeats_model *m, struct text *out)
{
	const struct compare *c = m->repeats->compare;
	const char *what = m->fleet ? "host" : "recording";

	for (size_t i = 0; i < c->n_commands; i++)
		if (c->commands[i].runs < 2)
			text_addf(out,
				  "# [%c] is a single %s, whose variation is unknown: nothing is "
				  "marked.\n",
				  compare_letter(i), what);
		else if (c->commands[i].runs < COMPARE_FEW_RUNS)
			text_addf(out, "# [%c] has few %ss: %d or more give narrower intervals.\n",
				  compare_letter(i), what, COMPARE_FEW_RUNS);
}

static void diff_repeats_add_notes(const struct diff_repeats_model *m, struct text *out)
{
	text_addf(out,
		  "#\n# %s: 95%% confidence interval of the difference of means (Welch's "
		  "t-test).\n",
		  diff_repeats_plus_minus(m->view));
	text_addf(
		out,
		"# * q < 0.05, ** q < 0.01, *** q < 0.001, where q is p corrected for %zu rows\n"
		"# (Benjamini-Hochberg): of the rows with a *, 1 in 20 is expected to be chance.\n",
		m->repeats->n);
	if (!diff_repeats_view_is_of_periods(m->repeats))
		text_addf(out,
			  "# Shares are of the total of each %s: where one grows, others shrink. "
			  "So a row "
			  "is marked\n# only if its share of what did not change differs, too%s.\n",
			  m->fleet ? "host" : "recording",
			  m->fleet ? "" : ", and its period; -c ratio compares periods alone");
	diff_repeats_note_few(m, out);
}

int diff_repeats_print(FILE *out, const struct diff_view *v, const struct diff_repeats *r,
		       const struct diff_fleet *f, const char *event, size_t nth)
{
	PLAIN_NUMBERS_IN_SCOPE;
	const struct diff_repeats_model model = { .view = v, .repeats = r, .fleet = f };
	_cleanup_(diff_columns_done) struct diff_columns columns = { .model = &model };
	_cleanup_(diff_text_done) struct diff_text t;
	int e = 0;

	diff_repeats_make_columns(&columns, &model);
	diff_text_init(&t, out, v, r->diff, &columns);
	if (!v->form.quiet) {
		diff_repeats_add_title(&t.out, &model, event, nth);
		e = diff_text_flush(&t, true);
		print_whole(&model, out);
		diff_text_add_heads(&t);
	}
	for (size_t i = 0; i < r->n && e >= 0; i++) {
		diff_text_add_row(&t, &r->rows[i], &r->rows[i].row->entry);
		e = diff_text_flush(&t, false);
	}
	if (!v->form.quiet && !v->form.separator)
		diff_repeats_add_notes(&model, &t.out);
	if (f && !v->form.quiet && !v->form.separator)
		diff_hosts_add(&t.out, v, f);
	return e < 0 ? e : diff_text_flush(&t, true);
}
