/* SPDX-License-Identifier: MIT */
#include "view/report/levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/report-hierarchy.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/table.h"

#define INDENT 3

/* The line under the heads is no longer, whatever is below it. */
#define DOTS_MAX 207

/* A level that shows something: the fields of other events' tracepoints do not. */
struct level {
	size_t number;
	struct cells cells;
};

struct levels {
	struct report_pen *pen;
	struct cells figures;
	struct level *items;
	size_t n;
	size_t indent; /* room that figures leave for those of deeper levels */
};

static void levels_done(struct levels *l)
{
	report_cells_done(&l->figures);
	for (size_t i = 0; i < l->n; i++)
		report_cells_done(&l->items[i].cells);
	free(l->items);
}

static void levels_init(struct levels *l, struct report_pen *p)
{
	const struct report_plan *plan = p->view->plan;

	*l = (struct levels){ .pen = p };
	l->items = xcalloc(plan->n_levels + 1, sizeof(*l->items));
	report_cells_make(p, &plan->columns, NULL, &l->figures);
	for (size_t i = 0; i < plan->n_levels; i++) {
		struct level *level = &l->items[l->n];

		level->number = i;
		report_cells_make(p, &plan->levels[i], NULL, &level->cells);
		if (level->cells.n)
			l->n++;
		else
			report_cells_done(&level->cells);
	}
	l->indent = l->n && !p->view->separator ? (l->n - 1) * INDENT : 0;
}

static void add_many(struct text *t, char c, size_t n)
{
	char *at = text_room(t, n);

	memset(at, c, n);
	text_filled(t, at + n);
}

/*
 * The row whose children are those of @level within @row, which is of the level before it: where
 * nothing is shown there is but one.
 */
static const struct hierarchy_row *parent_in(const struct levels *l, size_t level,
					     const struct hierarchy_row *row)
{
	size_t from = level ? l->items[level - 1].number + 1 : 0;

	for (; from < l->items[level].number && row->n_children; from++)
		row = &row->children[0];
	return row;
}

static void fit(struct levels *l, size_t level, const struct hierarchy_row *parent)
{
	if (level == l->n)
		return;
	parent = parent_in(l, level, parent);
	for (size_t i = 0; i < parent->n_children; i++) {
		report_cells_fit(l->pen, &l->items[level].cells, &parent->children[i].entry);
		fit(l, level + 1, &parent->children[i]);
	}
}

/* Rows need room for all that they sum up: beside an address there is more of it. */
static void fit_all(struct levels *l, const struct hierarchy_row *top)
{
	const struct report_group *g = l->pen->group;

	for (size_t level = 0; level < l->n; level++)
		for (size_t i = 0; i < g->n; i++)
			report_cells_fit(l->pen, &l->items[level].cells, &g->entries[i]);
	fit(l, 0, top);
}

/* "Command+Shared Object / Symbol" */
static void add_titles(struct text *out, const struct levels *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->items[i].cells.n; k++) {
			const char *title = l->items[i].cells.items[k].column->title;

			text_add(out, k ? "+" : i ? " / " : "");
			text_add(out, title + strspn(title, " "));
		}
}

static void add_dots(struct text *t, size_t n)
{
	add_many(t, '.', n < DOTS_MAX ? n : DOTS_MAX);
}

static size_t keys_width(const struct levels *l, size_t title)
{
	size_t width = title;

	for (size_t i = 0; i < l->n; i++) {
		size_t w = i * INDENT + report_cells_width(&l->items[i].cells, 1);

		width = w > width ? w : width;
	}
	return width;
}

static void print_heads(const struct levels *l)
{
	struct text *out = &l->pen->out;
	const char *separator = l->pen->view->separator;
	size_t title;

	text_add(out, "# ");
	add_many(out, ' ', l->indent);
	report_cells_print_titles(l->pen, &l->figures);
	text_add(out, report_gap(l->pen->view));
	title = out->length;
	add_titles(out, l);
	title = out->length - title;
	text_add(out, "\n# ");
	if (separator)
		report_cells_print_dots(l->pen, &l->figures);
	else
		add_dots(out, l->indent + report_cells_width(&l->figures, 2));
	text_add(out, report_gap(l->pen->view));
	add_dots(out, keys_width(l, title));
	text_add(out, "\n#\n");
}

/* Cells stand close to the indentation, whatever they are aligned to. */
static void print_keys(const struct levels *l, size_t level, const struct report_entry *e)
{
	const struct cells *c = &l->items[level].cells;
	struct text *out = &l->pen->out;

	for (size_t i = 0; i < c->n; i++) {
		const struct cells one = { .items = &c->items[i], .n = 1 };
		size_t from, blanks;

		text_add(out, i ? report_gap(l->pen->view) : "");
		from = out->length;
		report_cells_print(l->pen, &one, e, i + 1 < c->n);
		blanks = strspn(out->chars + from, " ");
		memmove(out->chars + from, out->chars + from + blanks,
			out->length - from - blanks + 1);
		out->length -= blanks;
	}
}

static void print_row(const struct levels *l, size_t level, const struct report_entry *e)
{
	const struct report_view *v = l->pen->view;
	struct text *out = &l->pen->out;

	add_many(out, ' ', level * INDENT + (v->separator ? 0 : strlen(report_gap(v))));
	report_cells_print(l->pen, &l->figures, e, true);
	text_add(out, report_gap(v));
	add_many(out, ' ', l->indent);
	print_keys(l, level, e);
	text_add_char(out, '\n');
}

static void print_nothing(const struct levels *l, size_t level)
{
	const struct report_view *v = l->pen->view;
	size_t column = 2 + report_cells_width(&l->figures, 2) + 2;

	if (!v->separator)
		column += l->indent + level * INDENT;
	add_many(&l->pen->out, ' ', column);
	text_addf(&l->pen->out, "no entry >= %.2f%%\n", v->percent_limit);
}

static int print_rows(const struct levels *l, size_t level, const struct hierarchy_row *parent)
{
	size_t n_shown = 0;
	int r = 0;

	parent = parent_in(l, level, parent);
	for (size_t i = 0; i < parent->n_children && r >= 0; i++) {
		const struct report_entry *e = &parent->children[i].entry;

		if (report_entry_percent(l->pen, e) < l->pen->view->percent_limit)
			continue;
		n_shown++;
		print_row(l, level, e);
		if (level + 1 < l->n)
			r = print_rows(l, level + 1, &parent->children[i]);
		else if (e->row->self.period) /* as in Linux's perf: nothing has no tree */
			report_entry_print_tree(l->pen, e);
		if (r >= 0)
			r = report_pen_flush(l->pen, false);
	}
	if (!n_shown && level)
		print_nothing(l, level);
	return r;
}

int report_levels_print(struct report_pen *p)
{
	_cleanup_(report_hierarchy_freep) struct report_hierarchy *h =
		report_hierarchy_new(p->group, p->view->plan);
	const struct hierarchy_row all = { .children = h->rows, .n_children = h->n };
	_cleanup_(levels_done) struct levels l;

	levels_init(&l, p);
	fit_all(&l, &all);
	if (!p->view->quiet)
		print_heads(&l);
	return l.n ? print_rows(&l, 0, &all) : 0;
}
