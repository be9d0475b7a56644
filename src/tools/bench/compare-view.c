/* SPDX-License-Identifier: MIT */
#include "tools/bench/compare-view.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/bench/programs/report.h"

/* Prints the machine. A file may contain any text. */
static void print_machine(FILE *out, char letter, const struct bench_report *r)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, r->host, strlen(r->host));
	text_add(&t, ", Linux ");
	escape_terminal(&t, r->kernel, strlen(r->kernel));
	text_add(&t, " ");
	escape_terminal(&t, r->machine, strlen(r->machine));
	text_addf(&t, ", %u CPUs, ", r->cpus);
	escape_terminal(&t, r->date, strlen(r->date));
	fprintf(out, "# %c: %s\n", letter, t.chars);
}

static void bench_compare_add_side(struct text *t, const struct compare_row *row, size_t side)
{
	const struct compare_side *s = &row->sides[side];

	if (!s->n)
		text_add(t, "-");
	else if (s->n == 1)
		text_addf(t, "%.6g", s->mean);
	else
		text_addf(t, "%.6g +- %.2g", s->mean, s->half_width);
}

static void bench_compare_add_difference(struct text *t, const struct compare_row *row)
{
	const struct compare_difference *d = &row->differences[1];

	if (d->basis == COMPARE_TOO_FEW) {
		text_add(t, "one value is not enough: --runs 5");
		return;
	}
	if (d->has_percent && d->basis == COMPARE_TESTED)
		text_addf(t, "%+.2f%% +- %.2f%%  ", d->percent, d->percent_half_width);
	else if (d->has_percent)
		text_addf(t, "%+.2f%%  ", d->percent);
	text_add(t, compare_word(row->kind, d->verdict));
}

static size_t bench_compare_name_width(const struct compare *c)
{
	size_t width = 6;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = c->rows[i];
		size_t n = escape_columns(row->name, strlen(row->name));

		if (n > width)
			width = n;
	}
	return width;
}

static void bench_compare_print_row(FILE *out, const struct compare_row *row, int width)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY, unit = TEXT_EMPTY, a = TEXT_EMPTY,
					 b = TEXT_EMPTY, difference = TEXT_EMPTY;

	escape_terminal(&name, row->name, strlen(row->name));
	escape_terminal(&unit, row->unit, strlen(row->unit));
	bench_compare_add_side(&a, row, 0);
	bench_compare_add_side(&b, row, 1);
	bench_compare_add_difference(&difference, row);
	fprintf(out, "%-*s  %-11s %22s %22s   %s\n", width, name.chars, unit.chars, a.chars,
		b.chars, difference.chars);
}

static size_t count_shown(const struct compare *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++)
		n += compare_is_shown(&c->rows[i]->differences[1]);
	return n;
}

void bench_compare_print(FILE *out, const struct bench_report *a, const struct bench_report *b,
			 const struct compare *c)
{
	int width = (int)bench_compare_name_width(c);
	size_t shown = count_shown(c);

	print_machine(out, 'A', a);
	print_machine(out, 'B', b);
	fprintf(out,
		"# Means with 95 %% confidence intervals; B against A.\n\n%-*s  %-11s %22s %22s"
		"   %s\n",
		width, "figure", "unit", "A", "B", "difference");
	for (size_t i = 0; i < c->n_rows; i++)
		bench_compare_print_row(out, c->rows[i], width);
	if (shown)
		fprintf(out, "\n%zu of %zu figures %s.\n", shown, c->n_rows,
			shown == 1 ? "differs" : "differ");
	else
		fprintf(out, "\nNo difference shown in %zu %s.\n", c->n_rows,
			c->n_rows == 1 ? "figure" : "figures");
}
