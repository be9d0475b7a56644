/* SPDX-License-Identifier: MIT */
#include "view/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "view/json.h"

/*
 * The maximum length of the last title's text. Names of C++ templates may be longer, but no blanks
 * are needed after it.
 */
#define LAST_TITLE_LENGTH 1023

void table_scratch_done(struct table_scratch *s)
{
	text_done(&s->cell);
	text_done(&s->shown);
	text_done(&s->made);
}

static size_t table_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t first_width(const struct column *c)
{
	if (!c->title || c->flags & COLUMN_FIXED)
		return c->width;
	return table_larger(c->width, strlen(c->title));
}

void table_init(struct table *t, const struct column *columns, size_t n, const void *model,
		const struct table_style *style)
{
	*t = (struct table){
		.columns = columns,
		.n = n,
		.model = model,
		.style = *style,
		.widths = xcalloc(n + 1, sizeof(*t->widths)),
	};
	for (size_t i = 0; i < n; i++) {
		t->widths[i] = first_width(&columns[i]);
		if (columns[i].title)
			t->last = i;
	}
}

void table_done(struct table *t)
{
	free(t->widths);
}

const char *table_gap(const struct table *t)
{
	return t->style.separator ? t->style.separator : "  ";
}

static bool is_right(const struct column *c, enum column_align align)
{
	return align == ALIGN_BY_TYPE ? c->type != VALUE_TEXT && c->type != VALUE_FLAG
				      : align == ALIGN_RIGHT;
}

static bool is_aligned(const struct table *t, const struct column *c)
{
	return !t->style.separator || c->flags & COLUMN_PADDED;
}

static size_t table_columns_of(const struct column *c, const char *s, size_t n)
{
	return c->flags & COLUMN_BYTES ? n : escape_columns(s, n);
}

static void table_add_many(struct text *out, char c, size_t n)
{
	char *at = text_room(out, n);

	memset(at, c, n);
	text_filled(out, at + n);
}

static struct cell table_cell_of(const struct table *t, const struct column *c, const void *row,
				 struct table_scratch *s)
{
	text_clear(&s->made);
	return (struct cell){ .column = c, .row = row, .model = t->model, .scratch = &s->made };
}

static void table_print(struct cell *at, struct text *out)
{
	const struct column *c = at->column;
	struct value v;

	if (c->print) {
		c->print(at, out);
		return;
	}
	v = c->get(at);
	if (v.type != VALUE_NONE)
		value_add(out, &v);
	else if (c->none)
		text_add(out, c->none);
}

/* Returns the text of a cell as it is shown, which is valid until the next one. */
static struct text *table_text_of(const struct table *t, struct cell *at, struct table_scratch *s)
{
	text_clear(&s->cell);
	table_print(at, &s->cell);
	if (!t->style.escape)
		return &s->cell;
	text_clear(&s->shown);
	escape_terminal(&s->shown, s->cell.chars, s->cell.length);
	return &s->shown;
}

static size_t table_width_of(const struct table *t, const struct column *c, const void *row,
			     struct table_scratch *s)
{
	struct cell at = table_cell_of(t, c, row, s);
	size_t known = c->measure ? c->measure(&at) : 0;
	const struct text *shown;

	if (c->measure && !t->style.escape)
		return known;
	/* On a terminal, escaped text is longer than the column's measure. */
	shown = table_text_of(t, &at, s);
	return table_larger(known, table_columns_of(c, shown->chars, shown->length));
}

void table_fit(struct table *t, const void *row, struct table_scratch *s)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		if (c->title && !(c->flags & COLUMN_FIXED))
			t->widths[i] = table_larger(t->widths[i], table_width_of(t, c, row, s));
	}
}

void table_fit_like(struct table *t, const struct table *other)
{
	for (size_t i = 0; i < t->n; i++)
		t->widths[i] = table_larger(t->widths[i], other->widths[i]);
}

size_t table_width(const struct table *t, size_t gap)
{
	size_t width = 0, n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->columns[i].title) {
			width += t->widths[i] + (n ? gap : 0);
			n++;
		}
	return width;
}

static void table_replace(struct text *t, char from, char to)
{
	for (size_t i = 0; i < t->length; i++)
		if (t->chars[i] == from)
			t->chars[i] = to;
}

/* Appends a cell. Returns the part of the column that it took. */
static size_t table_add_cell(const struct table *t, struct cell *at, size_t width,
			     struct table_scratch *s, struct text *out)
{
	const struct column *c = at->column;
	struct text *shown;
	size_t n, taken;

	if (c->draw)
		return c->draw(at, width, out);
	shown = table_text_of(t, at, s);
	if (t->style.separator)
		table_replace(shown, *t->style.separator, '.');
	n = shown->length;
	if (c->flags & COLUMN_CUTS && !at->uncut && n > width &&
	    table_columns_of(c, shown->chars, n) > width)
		n = width;
	taken = table_columns_of(c, shown->chars, n);
	if (is_right(c, c->align) && is_aligned(t, c) && taken < width) {
		table_add_many(out, ' ', width - taken);
		taken = width;
	}
	text_add_bytes(out, shown->chars, n);
	return taken;
}

void table_add_cells(const struct table *t, const void *row, bool follows, struct table_scratch *s,
		     struct text *out)
{
	const char *gap = "";

	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];
		struct cell at = table_cell_of(t, c, row, s);
		size_t taken;

		if (!c->title)
			continue;
		text_add(out, gap);
		gap = table_gap(t);
		taken = table_add_cell(t, &at, t->widths[i], s, out);
		if (taken < t->widths[i] && is_aligned(t, c) &&
		    (follows || c->flags & COLUMN_FILLS || i < t->last))
			table_add_many(out, ' ', t->widths[i] - taken);
	}
}

static void table_add_title(const struct table *t, const struct column *c, size_t width,
			    struct text *out)
{
	size_t n = strlen(c->title), pad;
	bool right = is_right(c, c->title_align);

	if (!is_aligned(t, c)) {
		text_add(out, c->title);
		return;
	}
	if (c->flags & COLUMN_FIXED && n > width)
		n = width;
	pad = table_columns_of(c, c->title, n);
	pad = pad < width ? width - pad : 0;
	table_add_many(out, ' ', right ? pad : 0);
	text_add_bytes(out, c->title, n);
	table_add_many(out, ' ', right ? 0 : pad);
}

static size_t title_width(const struct table *t, size_t i)
{
	return i == t->last && t->widths[i] > LAST_TITLE_LENGTH ? LAST_TITLE_LENGTH : t->widths[i];
}

void table_add_titles(const struct table *t, struct text *out)
{
	const char *gap = "";

	for (size_t i = 0; i < t->n; i++) {
		if (!t->columns[i].title)
			continue;
		text_add(out, gap);
		gap = table_gap(t);
		table_add_title(t, &t->columns[i], title_width(t, i), out);
	}
}

void table_add_dots(const struct table *t, struct text *out)
{
	const char *gap = "";

	for (size_t i = 0; i < t->n; i++) {
		if (!t->columns[i].title)
			continue;
		text_add(out, gap);
		gap = table_gap(t);
		table_add_many(out, '.', t->widths[i]);
	}
}

static bool has_above(const struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->columns[i].above)
			return true;
	return false;
}

bool table_add_above(const struct table *t, struct text *out)
{
	const char *gap = "";

	if (!has_above(t))
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const char *above = t->columns[i].above ? t->columns[i].above : "";
		size_t n = strlen(above);

		if (!t->columns[i].title)
			continue;
		text_add(out, gap);
		gap = table_gap(t);
		text_add(out, above);
		if (is_aligned(t, &t->columns[i]) && n < title_width(t, i))
			table_add_many(out, ' ', title_width(t, i) - n);
	}
	return true;
}

static void table_end_line(const struct table *t, struct text *out)
{
	while (t->style.trims && out->length && out->chars[out->length - 1] == ' ')
		out->length--;
	text_add_char(out, '\n');
}

void table_add_heads(const struct table *t, struct text *out)
{
	if (has_above(t)) {
		text_add(out, "# ");
		table_add_above(t, out);
		table_end_line(t, out);
	}
	text_add(out, "# ");
	table_add_titles(t, out);
	table_end_line(t, out);
	if (t->style.separator || t->style.no_dots)
		return;
	text_add(out, "# ");
	table_add_dots(t, out);
	text_add(out, "\n#\n");
}

void table_add_row(const struct table *t, const void *row, struct table_scratch *s,
		   struct text *out)
{
	text_add(out, t->style.separator ? "" : "  ");
	table_add_cells(t, row, false, s, out);
	table_end_line(t, out);
}

void table_add(struct table *t, const void *rows, size_t n, size_t size, struct text *out)
{
	_cleanup_(table_scratch_done) struct table_scratch s = TABLE_SCRATCH;
	const char *at = rows;

	for (size_t i = 0; i < n; i++)
		table_fit(t, at + i * size, &s);
	table_add_heads(t, out);
	for (size_t i = 0; i < n; i++)
		table_add_row(t, at + i * size, &s, out);
}

void table_write_members(const struct table *t, const void *row, struct table_scratch *s,
			 struct json *j)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];
		struct cell at = table_cell_of(t, c, row, s);
		struct value v;

		if (!c->name)
			continue;
		v = c->get(&at);
		if (v.type == VALUE_NONE && c->flags & COLUMN_OPTIONAL)
			continue;
		json_key(j, c->name);
		json_value(j, &v);
	}
}

void table_write_columns(const struct table *t, struct json *j)
{
	static const char *const types[] = {
		[VALUE_NONE] = "none",     [VALUE_TEXT] = "text",       [VALUE_UNSIGNED] = "number",
		[VALUE_SIGNED] = "number", [VALUE_ADDRESS] = "address", [VALUE_BYTES] = "bytes",
		[VALUE_TIME] = "time",     [VALUE_PERCENT] = "percent", [VALUE_FLAG] = "flag",
		[VALUE_LIST] = "list",     [VALUE_MEAN] = "mean",
	};

	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		if (!c->name)
			continue;
		json_object(j);
		j->on_line = true;
		json_member(j, "name", c->name);
		json_member(j, "title", c->title);
		json_member(j, "type", types[c->type]);
		json_end(j, '}');
		j->on_line = false;
	}
}
