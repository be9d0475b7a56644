/* SPDX-License-Identifier: MIT */
#include "view/report/levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/report-hierarchy.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/report-view.h"
#include "view/report/tree.h"
#include "view/text-flush.h"

/* The maximum length of the line under the heads. */
#define DOTS_MAX 207

/* A level with visible contents, unlike fields of other events' tracepoints. */
struct report_level {
	size_t number;
	struct report_cells cells;
};

struct levels {
	const struct report_view *view;
	const struct report_group *group;
	struct report_tree *tree; /* NULL: no call trees */
	struct report_cells figures;
	struct report_level *items;
	size_t n;
	size_t indent; /* space that figures leave for those of deeper levels */
	FILE *file;
	struct text out;
	struct table_scratch scratch;
};

static void levels_done(struct levels *l)
{
	report_tree_free(l->tree);
	text_done(&l->out);
	table_scratch_done(&l->scratch);
	report_cells_done(&l->figures);
	for (size_t i = 0; i < l->n; i++)
		report_cells_done(&l->items[i].cells);
	free(l->items);
}

static void levels_init(struct levels *l, FILE *file, const struct report_view *v,
			const struct report_block *b)
{
	const struct report_plan *plan = v->plan;

	*l = (struct levels){
		.view = v,
		.group = b->group,
		.tree = b->tree ? report_tree_new(b->tree, b->group->members[0]) : NULL,
		.items = xcalloc(plan->n_levels + 1, sizeof(*l->items)),
		.file = file,
		.out = TEXT_EMPTY,
		.scratch = TABLE_SCRATCH,
	};
	report_cells_init(&l->figures, v, b->group, &plan->columns, NULL);
	for (size_t i = 0; i < plan->n_levels; i++) {
		struct report_level *level = &l->items[l->n];

		level->number = i;
		report_cells_init(&level->cells, v, b->group, &plan->levels[i], NULL);
		if (level->cells.table.n)
			l->n++;
		else
			report_cells_done(&level->cells);
	}
	l->indent = l->n && !v->form.separator ? (l->n - 1) * REPORT_LEVEL_INDENT : 0;
}

static void report_levels_add_many(struct text *t, char c, size_t n)
{
	char *at = text_room(t, n);

	memset(at, c, n);
	text_filled(t, at + n);
}

/*
 * Returns the row whose children are those of @level within @row, which belongs to the previous
 * shown level. A level that is not shown has only one row.
 */
static const struct hierarchy_row *parent_in(const struct levels *l, size_t level,
					     const struct hierarchy_row *row)
{
	size_t from = level ? l->items[level - 1].number + 1 : 0;

	for (; from < l->items[level].number && row->n_children; from++)
		row = &row->children[0];
	return row;
}

static void report_levels_fit(struct levels *l, size_t level, const struct hierarchy_row *parent)
{
	if (level == l->n)
		return;
	parent = parent_in(l, level, parent);
	for (size_t i = 0; i < parent->n_children; i++) {
		table_fit(&l->items[level].cells.table, &parent->children[i].entry, &l->scratch);
		report_levels_fit(l, level + 1, &parent->children[i]);
	}
}

/*
 * Fits the columns. Rows are fitted by everything that they sum up, because next to an address
 * there is more space.
 */
static void fit_all(struct levels *l, const struct hierarchy_row *top)
{
	const struct report_group *g = l->group;

	for (size_t level = 0; level < l->n; level++)
		for (size_t i = 0; i < g->n; i++)
			table_fit(&l->items[level].cells.table, &g->entries[i], &l->scratch);
	report_levels_fit(l, 0, top);
	for (size_t level = 0; level < l->n; level++)
		report_cells_limit(&l->items[level].cells,
				   strlen("  ") + table_width(&l->figures.table, 2) + strlen("  ") +
					   l->indent + level * REPORT_LEVEL_INDENT);
}

/* Appends "Command+Shared Object / Symbol". */
static void report_levels_add_titles(struct text *out, const struct levels *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->items[i].cells.table.n; k++) {
			const char *title = l->items[i].cells.table.columns[k].title;

			text_add(out, k ? "+" : i ? " / " : "");
			text_add(out, title + strspn(title, " "));
		}
}

static void report_levels_add_dots(struct text *t, size_t n)
{
	report_levels_add_many(t, '.', n < DOTS_MAX ? n : DOTS_MAX);
}

static size_t keys_width(const struct levels *l, size_t title)
{
	size_t width = title;

	for (size_t i = 0; i < l->n; i++) {
		size_t w = i * REPORT_LEVEL_INDENT + table_width(&l->items[i].cells.table, 1);

		width = w > width ? w : width;
	}
	return width;
}

/* Prints the line above the titles of figures. */
static void print_above(struct levels *l)
{
	_cleanup_(text_done) struct text above = TEXT_EMPTY;

	if (!table_add_above(&l->figures.table, &above))
		return;
	text_add(&l->out, "# ");
	report_levels_add_many(&l->out, ' ', l->indent);
	text_add(&l->out, above.chars);
	text_add(&l->out, table_gap(&l->figures.table));
	text_add_char(&l->out, '\n');
}

static void report_levels_print_heads(struct levels *l)
{
	const struct table *figures = &l->figures.table;
	struct text *out = &l->out;
	size_t title;

	print_above(l);
	text_add(out, "# ");
	report_levels_add_many(out, ' ', l->indent);
	table_add_titles(figures, out);
	text_add(out, table_gap(figures));
	title = out->length;
	report_levels_add_titles(out, l);
	title = out->length - title;
	text_add(out, "\n# ");
	if (l->view->form.separator)
		table_add_dots(figures, out);
	else
		report_levels_add_dots(out, l->indent + table_width(figures, 2));
	text_add(out, table_gap(figures));
	report_levels_add_dots(out, keys_width(l, title));
	text_add(out, "\n#\n");
}

void report_level_keys_add(const struct table *t, const struct report_entry *e,
			   struct table_scratch *scratch, struct text *out)
{
	for (size_t i = 0; i < t->n; i++) {
		struct table one = *t;
		size_t from, blanks;

		one.columns += i;
		one.widths += i;
		one.n = 1;
		one.last = 0;
		text_add(out, i ? table_gap(t) : "");
		from = out->length;
		table_add_cells(&one, e, i + 1 < t->n, scratch, out);
		blanks = strspn(out->chars + from, " ");
		memmove(out->chars + from, out->chars + from + blanks,
			out->length - from - blanks + 1);
		out->length -= blanks;
	}
}

static void report_levels_print_row(struct levels *l, size_t level, const struct report_entry *e)
{
	const struct table *figures = &l->figures.table;
	const char *gap = table_gap(figures);
	struct text *out = &l->out;

	report_levels_add_many(out, ' ',
			       level * REPORT_LEVEL_INDENT +
				       (l->view->form.separator ? 0 : strlen(gap)));
	table_add_cells(figures, e, true, &l->scratch, out);
	text_add(out, gap);
	report_levels_add_many(out, ' ', l->indent);
	report_level_keys_add(&l->items[level].cells.table, e, &l->scratch, out);
	text_add_char(out, '\n');
}

static void print_nothing(struct levels *l, size_t level)
{
	size_t column = 2 + table_width(&l->figures.table, 2) + 2;

	if (!l->view->form.separator)
		column += l->indent + level * REPORT_LEVEL_INDENT;
	report_levels_add_many(&l->out, ' ', column);
	text_addf(&l->out, "no entry >= %.2f%%\n", l->group->members[0]->options->rq.percent_limit);
}

static int report_levels_print_rows(struct levels *l, size_t level,
				    const struct hierarchy_row *parent)
{
	size_t n_shown = 0;
	int r = 0;

	parent = parent_in(l, level, parent);
	for (size_t i = 0; i < parent->n_children && r >= 0; i++) {
		const struct report_entry *e = &parent->children[i].entry;

		if (!report_entry_is_shown(l->group, e))
			continue;
		n_shown++;
		report_levels_print_row(l, level, e);
		if (level + 1 < l->n)
			r = report_levels_print_rows(l, level + 1, &parent->children[i]);
		else if (e->row->self
				 .period) /* a row without weight has no tree, as in Linux's perf */
			report_tree_print(l->tree, e->members[0], &l->out);
		if (r >= 0)
			r = text_flush(&l->out, l->file, false);
	}
	if (!n_shown && level)
		print_nothing(l, level);
	return r;
}

int report_levels_print(FILE *out, const struct report_view *v, const struct report_block *b)
{
	_cleanup_(report_hierarchy_freep) struct report_hierarchy *h =
		report_hierarchy_new(b->group, v->plan);
	const struct hierarchy_row all = { .children = h->rows, .n_children = h->n };
	_cleanup_(levels_done) struct levels l;
	int r = 0;

	levels_init(&l, out, v, b);
	fit_all(&l, &all);
	if (!v->form.quiet)
		report_levels_print_heads(&l);
	if (l.n)
		r = report_levels_print_rows(&l, 0, &all);
	return r < 0 ? r : text_flush(&l.out, out, true);
}
