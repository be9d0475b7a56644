/* SPDX-License-Identifier: MIT */
#include "view/report/row-text.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/report-hierarchy.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/levels.h"
#include "view/report/table.h"

#define SIGN_WIDTH 2
#define GAP_WIDTH  2

struct report_row_text_level {
	size_t number;
	struct report_cells cells;
};

struct report_row_text {
	struct report_cells cells;            /* in a hierarchy: the figures */
	struct report_row_text_level *levels; /* those with visible contents */
	size_t n;
	struct table_scratch scratch;
};

struct report_row_text *report_row_text_new(const struct report_view *v,
					    const struct report_group *g)
{
	struct report_row_text *t = xcalloc(1, sizeof(*t));
	const struct report_plan *plan = v->plan;

	t->scratch = (struct table_scratch)TABLE_SCRATCH;
	report_cells_init(&t->cells, v, g, &plan->columns, plan->levels ? NULL : v->form.widths);
	t->levels = xcalloc(plan->n_levels + 1, sizeof(*t->levels));
	for (size_t i = 0; plan->levels && i < plan->n_levels; i++) {
		struct report_row_text_level *l = &t->levels[t->n];

		l->number = i;
		report_cells_init(&l->cells, v, g, &plan->levels[i], NULL);
		if (l->cells.table.n)
			t->n++;
		else
			report_cells_done(&l->cells);
	}
	return t;
}

void report_row_text_free(struct report_row_text *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		report_cells_done(&t->levels[i].cells);
	free(t->levels);
	report_cells_done(&t->cells);
	table_scratch_done(&t->scratch);
	free(t);
}

size_t report_row_text_levels(const struct report_row_text *t)
{
	return t->n;
}

size_t report_row_text_columns(const struct report_row_text *t)
{
	return t->cells.table.n;
}

const struct hierarchy_row *report_row_text_parent(const struct report_row_text *t, size_t level,
						   const struct hierarchy_row *row)
{
	size_t from = level ? t->levels[level - 1].number + 1 : 0;

	for (; from < t->levels[level].number && row->n_children; from++)
		row = &row->children[0];
	return row;
}

static size_t indent_of(const struct report_row_text *t)
{
	return t->n ? (t->n - 1) * REPORT_LEVEL_INDENT : 0;
}

void report_row_text_fit(struct report_row_text *t, const struct report_entry *e, size_t level)
{
	table_fit(&t->cells.table, e, &t->scratch);
	report_cells_limit(&t->cells, SIGN_WIDTH);
	if (level >= t->n)
		return;
	table_fit(&t->levels[level].cells.table, e, &t->scratch);
	report_cells_limit(&t->levels[level].cells,
			   SIGN_WIDTH + table_width(&t->cells.table, GAP_WIDTH) + GAP_WIDTH +
				   indent_of(t) + level * REPORT_LEVEL_INDENT);
}

/* Returns the columns of @t without the first @skip. */
static struct table table_from(const struct table *t, size_t skip)
{
	struct table rest = *t;

	skip = skip < rest.n ? skip : rest.n;
	rest.columns += skip;
	rest.widths += skip;
	rest.n -= skip;
	rest.last -= skip < rest.last ? skip : rest.last;
	return rest;
}

static void report_row_text_add_blanks(struct text *out, size_t n)
{
	text_pad(out, out->length, n, 0, ' ');
}

static void add_level_titles(const struct report_row_text *t, struct text *out)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->levels[i].cells.table.n; k++) {
			const char *title = t->levels[i].cells.table.columns[k].title;

			text_add(out, k ? "+" : i ? " / " : "");
			text_add(out, title + strspn(title, " "));
		}
}

void report_row_text_heads(const struct report_row_text *t, size_t skip, struct text *out)
{
	struct table table = table_from(&t->cells.table, skip);

	text_add(out, "  ");
	table_add_titles(&table, out);
	if (!t->n)
		return;
	text_add(out, table.n ? "  " : "");
	report_row_text_add_blanks(out, indent_of(t));
	add_level_titles(t, out);
}

void report_row_text_add(struct report_row_text *t, const struct report_entry *e, size_t level,
			 char sign, size_t skip, struct text *out)
{
	struct table table = table_from(&t->cells.table, skip);

	report_row_text_add_blanks(out, t->n ? level * REPORT_LEVEL_INDENT : 0);
	text_add_char(out, sign);
	text_add_char(out, ' ');
	table_add_cells(&table, e, t->n > 0, &t->scratch, out);
	if (level >= t->n)
		return;
	text_add(out, table.n ? "  " : "");
	report_row_text_add_blanks(out, indent_of(t));
	report_level_keys_add(&t->levels[level].cells.table, e, &t->scratch, out);
}

void report_row_text_keys(struct report_row_text *t, const struct report_entry *e, size_t level,
			  struct text *out)
{
	const struct report_cells *c = t->n ? &t->levels[level].cells : &t->cells;

	for (size_t i = 0; i < c->table.n; i++) {
		report_cells_add_key(c, i, e, out);
		text_add_char(out, '\n');
	}
}
