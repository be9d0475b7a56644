/* SPDX-License-Identifier: MIT */
#include "view/report/cells.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/report-group.h"
#include "profile/report-plan.h"
#include "view/report/table.h"
#include "view/report/tree.h"

#define PIECE (256 * 1024)

/* From here on a share is worth a look, or a closer one. */
#define PERCENT_GREEN 0.5
#define PERCENT_RED   5.0

void report_pen_done(struct report_pen *p)
{
	text_done(&p->out);
	text_done(&p->cell);
	text_done(&p->escaped);
}

int report_pen_flush(struct report_pen *p, bool all)
{
	if (p->out.length < PIECE && !all)
		return 0;
	errno = 0;
	if (fwrite(p->out.chars, 1, p->out.length, p->file) != p->out.length)
		return errno ? -errno : -EIO;
	text_clear(&p->out);
	return 0;
}

const char *report_gap(const struct report_view *v)
{
	return v->separator ? v->separator : "  ";
}

static void add_many(struct text *t, char c, size_t n)
{
	char *at = text_room(t, n);

	memset(at, c, n);
	text_filled(t, at + n);
}

static void add_spaces(struct text *t, size_t n)
{
	add_many(t, ' ', n);
}

/* The @i-th number of "8,0,20". */
static size_t width_asked(const char *widths, size_t i)
{
	for (; widths && i; i--) {
		widths = strchr(widths, ',');
		if (widths)
			widths++;
	}
	return widths ? strtoul(widths, NULL, 10) & 0xffff : 0;
}

static const struct key *column_key(const struct report_pen *p, const struct report_column *c)
{
	return &p->view->plan->keys.items[c->key];
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t first_width(const struct report_pen *p, const struct cell_layout *l)
{
	const struct report_column *c = l->column;
	size_t title = strlen(c->title), n = p->group->n_members;
	size_t width = l->asked;

	if (!c->figure)
		return width ? width : larger(title, column_key(p, c)->min_width);
	if (!width)
		width = c->figure->width;
	if (n > 1)
		width = larger(width, n * c->figure->width);
	return larger(width, title);
}

/* Fields of a tracepoint have a column only where that is shown. */
static bool is_shown(const struct report_pen *p, const struct report_column *c)
{
	const struct session_event *event = c->figure ? NULL : column_key(p, c)->event;

	for (size_t i = 0; event && i < p->group->n_members; i++)
		if (p->group->members[i]->event == event)
			return true;
	return !event;
}

void report_cells_make(const struct report_pen *p, const struct report_columns *columns,
		       const char *widths, struct cells *ret)
{
	ret->n = 0;
	ret->items = xcalloc(columns->n + 1, sizeof(*ret->items));
	for (size_t i = 0; i < columns->n; i++) {
		struct cell_layout *l = &ret->items[ret->n];

		if (!is_shown(p, &columns->items[i]))
			continue;
		ret->n++;
		l->column = &columns->items[i];
		l->asked = width_asked(widths, i);
		l->width = first_width(p, l);
	}
}

void report_cells_done(struct cells *c)
{
	free(c->items);
}

bool report_figure_is_known(const struct report_pen *p, const struct figure *f)
{
	return f->what.by != ROW_BY_TOTAL || p->view->plan->children;
}

double report_percent(const struct report_pen *p, size_t member, uint64_t period)
{
	const struct report_rows *rows = p->group->members[member];
	uint64_t whole = p->view->absolute ? rows->all.period : rows->shown.period;

	return whole ? 100.0 * (double)period / (double)whole : 0;
}

double report_entry_percent(const struct report_pen *p, const struct report_entry *e)
{
	const struct report_row *row = e->members[0];

	if (!row)
		return 0;
	return report_percent(p, 0, p->view->plan->children ? row->total.period : row->self.period);
}

static void add_number(struct text *out, const char *digits, size_t n, size_t width)
{
	text_add_char(out, ' ');
	if (n < width)
		add_spaces(out, width - n);
	text_add_bytes(out, digits, n);
}

const char *report_share_colour(const struct report_view *v, double percent)
{
	if (!v->colour || v->separator)
		return "";
	return percent >= PERCENT_RED ? "\033[31m" : percent > PERCENT_GREEN ? "\033[32m" : "";
}

/* Returns how many columns it took. */
static size_t add_share(struct report_pen *p, const struct cell_layout *l, double percent)
{
	const char *colour = report_share_colour(p->view, percent);
	size_t room = l->asked ? l->asked : l->column->figure->width, start;
	char digits[DIGITS_MAX + 1];
	size_t n = (size_t)(digits_hundredths(digits, percent) - digits);

	digits[n++] = '%';
	text_add(&p->out, colour);
	start = p->out.length;
	add_number(&p->out, digits, n, p->view->separator ? 0 : room - 1);
	start = p->out.length - start;
	text_add(&p->out, *colour ? "\033[m" : "");
	return start;
}

static size_t add_count(struct report_pen *p, const struct cell_layout *l, uint64_t value)
{
	size_t room = l->asked ? l->asked : l->column->figure->width, start = p->out.length;
	char digits[DIGITS_MAX];
	size_t n = (size_t)(digits_decimal(digits, value) - digits);

	add_number(&p->out, digits, n, p->view->separator ? 0 : room - 1);
	return p->out.length - start;
}

static size_t add_unknown(struct report_pen *p, const struct cell_layout *l)
{
	size_t room = l->asked ? l->asked : l->column->figure->width, start = p->out.length;

	add_number(&p->out, "N/A", 3, room - 1);
	return p->out.length - start;
}

static size_t add_figure(struct report_pen *p, const struct cell_layout *l,
			 const struct report_entry *e)
{
	const struct figure *f = l->column->figure;
	size_t taken = 0;

	if (!report_figure_is_known(p, f))
		return add_unknown(p, l);
	for (size_t i = 0; i < p->group->n_members; i++) {
		const struct report_row *row = e->members[i];
		uint64_t value = row ? figure_value(&f->what, row) : 0;

		if (f->share)
			taken += add_share(p, l, report_percent(p, i, value));
		else
			taken += add_count(p, l, value);
	}
	return taken;
}

struct text *report_key_text(struct report_pen *p, const struct report_column *c,
			     const struct report_entry *e)
{
	const struct key *k = column_key(p, c);
	struct key_cell cell = report_row_cell(e->row, c->key);

	text_clear(&p->cell);
	k->type->print(k, e->rows->options->env, &cell, &p->cell);
	if (!p->view->escape)
		return &p->cell;
	text_clear(&p->escaped);
	escape_terminal(&p->escaped, p->cell.chars, p->cell.length);
	struct text other = p->cell;
	p->cell = p->escaped;
	p->escaped = other;
	return &p->cell;
}

static size_t key_width(struct report_pen *p, const struct report_column *c,
			const struct report_entry *e)
{
	const struct key *k = column_key(p, c);
	struct key_cell cell = report_row_cell(e->row, c->key);
	size_t known = k->type->width ? k->type->width(k, e->rows->options->env, &cell) : 0;

	if (k->type->width && !p->view->escape)
		return known;
	/* On a terminal nothing is cut, and what had to be escaped is longer than its key knows. */
	return larger(known, report_key_text(p, c, e)->length);
}

void report_cells_fit(struct report_pen *p, struct cells *c, const struct report_entry *e)
{
	for (size_t i = 0; i < c->n; i++) {
		struct cell_layout *l = &c->items[i];

		if (l->column->figure || l->asked)
			continue;
		l->width = larger(l->width, key_width(p, l->column, e));
	}
}

static void replace_separator(struct text *t, char separator)
{
	for (size_t i = 0; i < t->length; i++)
		if (t->chars[i] == separator)
			t->chars[i] = '.';
}

/* How much of a key's text is shown. An address in the place of a function is never cut. */
static size_t length_shown(const struct report_pen *p, const struct cell_layout *l)
{
	const struct key_type *t = column_key(p, l->column)->type;
	size_t n = p->cell.length;
	bool is_name = !strncmp(t->name, "symbol", 6) && n > 4 &&
		       strncmp(p->cell.chars + 4, "0x", 2);

	if (t->flags & KEY_CUTS)
		return n > l->width ? l->width : n;
	return is_name && l->asked >= 4 && n > l->asked ? l->asked : n;
}

static size_t add_key(struct report_pen *p, const struct cell_layout *l,
		      const struct report_entry *e)
{
	unsigned flags = column_key(p, l->column)->type->flags;
	size_t n;

	report_key_text(p, l->column, e);
	n = length_shown(p, l);
	if (flags & KEY_RIGHT && n < l->width)
		add_spaces(&p->out, l->width - n);
	if (p->view->separator)
		replace_separator(&p->cell, *p->view->separator);
	text_add_bytes(&p->out, p->cell.chars, n);
	return flags & KEY_RIGHT ? larger(n, l->width) : n;
}

static bool fills(const struct report_pen *p, const struct report_column *c)
{
	return !c->figure && column_key(p, c)->type->flags & KEY_FILLS;
}

void report_cells_print(struct report_pen *p, const struct cells *c, const struct report_entry *e,
			bool follows)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct cell_layout *l = &c->items[i];
		size_t taken;

		if (i)
			text_add(&p->out, report_gap(p->view));
		taken = l->column->figure ? add_figure(p, l, e) : add_key(p, l, e);
		if (taken < l->width && (i + 1 < c->n || follows || fills(p, l->column)))
			add_spaces(&p->out, l->width - taken);
	}
}

/* Names of C++ templates may be longer, but no blanks are needed behind the last title. */
#define LAST_TITLE_LENGTH 1023

void report_cells_print_titles(struct report_pen *p, const struct cells *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct cell_layout *l = &c->items[i];
		const struct figure *f = l->column->figure;
		bool right = f || column_key(p, l->column)->type->flags & KEY_TITLE_RIGHT;
		size_t n = strlen(l->column->title), width = l->width, pad;

		if (i + 1 == c->n && width > LAST_TITLE_LENGTH)
			width = LAST_TITLE_LENGTH;
		n = n > width ? width : n;
		pad = width - n;
		if (i)
			text_add(&p->out, report_gap(p->view));
		add_spaces(&p->out, right ? pad : 0);
		text_add_bytes(&p->out, l->column->title, n);
		add_spaces(&p->out, right ? 0 : pad);
	}
}

void report_cells_print_dots(struct report_pen *p, const struct cells *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (i)
			text_add(&p->out, report_gap(p->view));
		add_many(&p->out, '.', c->items[i].width);
	}
}

size_t report_cells_width(const struct cells *c, size_t gap)
{
	size_t width = c->n ? (c->n - 1) * gap : 0;

	for (size_t i = 0; i < c->n; i++)
		width += c->items[i].width;
	return width;
}

void report_entry_print_tree(struct report_pen *p, const struct report_entry *e)
{
	if (p->tree && e->members[0])
		report_tree_print(p->tree, e->members[0], &p->out);
}
