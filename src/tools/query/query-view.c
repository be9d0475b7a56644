/* SPDX-License-Identifier: MIT */
#include "tools/query/query-view.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/plain-number.h"
#include "base/query-value.h"
#include "base/text.h"
#include "view/json.h"
#include "view/text-flush.h"

/* The maximum number of rows, and of their bytes, from which the widths of columns are computed. */
#define FIT_ROWS  5000
#define FIT_BYTES (4u << 20)

/* On a terminal, texts may be cut to this width, and then end with CUT. */
#define TEXT_WIDTH_MIN 12
#define CUT            ".."

/* A cell that is kept until the width of its column is known. */
struct waiting_cell {
	size_t offset, length, columns; /* place in query_view.waiting, and width in characters */
	bool is_number;
};

struct query_view {
	FILE *out;
	struct query_view_options options;
	size_t n_columns;
	char **names;
	size_t n_results;
	struct text text; /* the text to be written next */
	/* For tables: */
	size_t *widths;
	bool *has_numbers; /* by column: has numbers, which are not cut */
	size_t n_shown;    /* the number of columns that fit */
	bool fitted;
	struct text waiting;
	struct {
		struct waiting_cell *items;
		size_t n, room;
	} cells;
	/* For JSON: */
	struct json json;
};

struct query_view *query_view_new(FILE *out, const struct query_view_options *o)
{
	struct query_view *v = xcalloc(1, sizeof(*v));

	v->out = out;
	v->options = *o;
	v->text = (struct text)TEXT_EMPTY;
	v->waiting = (struct text)TEXT_EMPTY;
	return v;
}

static void forget_names(struct query_view *v)
{
	for (size_t i = 0; i < v->n_columns; i++)
		free(v->names[i]);
	free(TAKE(v->names));
	free(TAKE(v->widths));
	free(TAKE(v->has_numbers));
	v->n_columns = 0;
}

void query_view_free(struct query_view *v)
{
	if (!v)
		return;
	forget_names(v);
	text_done(&v->text);
	text_done(&v->waiting);
	free(v->cells.items);
	free(v);
}

static void query_add_value(struct text *t, const struct query_value *v)
{
	switch (v->kind) {
	case CELL_NULL:
		break;
	case CELL_NUMBER:
		text_addf(t, "%" PRId64, v->number);
		break;
	case CELL_REAL:
		if (isfinite(v->real))
			plain_number_add(t, v->real);
		else
			text_add(t, isnan(v->real) ? "nan" : v->real > 0 ? "inf" : "-inf");
		break;
	case CELL_TEXT:
		text_add_bytes(t, v->text.bytes, v->text.n);
		break;
	}
}

/* --- tables ----------------------------------------------------------------------------------- */

static void query_add_blanks(struct text *t, size_t n)
{
	while (n--)
		text_add_char(t, ' ');
}

/* Returns the length in bytes of the part of @text that is at most @columns wide. */
static size_t cut_bytes(const char *text, size_t length, size_t columns)
{
	size_t at = 0;

	while (at < length) {
		size_t next = at + 1, width;

		while (next < length && ((unsigned char)text[next] & 0xc0) == 0x80)
			next++;
		width = escape_columns(text + at, next - at);
		if (width > columns)
			break;
		columns -= width;
		at = next;
	}
	return at;
}

/* Prints a cell in its column. The last cell is not padded. */
static void put_cell(struct query_view *v, size_t column, const char *text, size_t length,
		     size_t columns, bool right)
{
	bool is_cut = v->options.columns && columns > v->widths[column] && !right &&
		      !v->has_numbers[column];
	size_t room = v->widths[column] > columns ? v->widths[column] - columns : 0;

	if (column >= v->n_shown)
		return;
	if (column)
		text_add(&v->text, "  ");
	if (right)
		query_add_blanks(&v->text, room);
	if (is_cut) {
		text_add_bytes(&v->text, text,
			       cut_bytes(text, length, v->widths[column] - strlen(CUT)));
		text_add(&v->text, CUT);
	} else {
		text_add_bytes(&v->text, text, length);
	}
	if (!right && column + 1 < v->n_shown)
		query_add_blanks(&v->text, room);
	if (column + 1 < v->n_shown)
		return;
	while (v->text.length && v->text.chars[v->text.length - 1] == ' ')
		text_filled(&v->text, v->text.chars + v->text.length - 1);
	text_add_char(&v->text, '\n');
}

static void put_waiting(struct query_view *v)
{
	for (size_t i = 0; i < v->cells.n; i++) {
		const struct waiting_cell *c = &v->cells.items[i];

		put_cell(v, i % v->n_columns, v->waiting.chars + c->offset, c->length, c->columns,
			 c->is_number);
		text_flush(&v->text, v->out, false);
	}
	text_clear(&v->waiting);
	v->cells.n = 0;
}

static void put_titles(struct query_view *v)
{
	for (size_t i = 0; i < v->n_columns; i++) {
		size_t n = strlen(v->names[i]);

		put_cell(v, i, v->names[i], n, escape_columns(v->names[i], n), false);
	}
	for (size_t i = 0; i < v->n_shown; i++) {
		text_add(&v->text, i ? "  " : "");
		for (size_t k = 0; k < v->widths[i]; k++)
			text_add_char(&v->text, '-');
	}
	text_add_char(&v->text, '\n');
}

/* True if column @i is narrowed when texts may be @width wide: numbers are not cut. */
static bool query_is_wider(const struct query_view *v, size_t i, size_t width)
{
	return !v->has_numbers[i] && v->widths[i] > width;
}

/* Returns by how much the table becomes narrower if texts are at most @width wide. */
static size_t query_saved(const struct query_view *v, size_t width)
{
	size_t saved = 0;

	for (size_t i = 0; i < v->n_columns; i++)
		if (query_is_wider(v, i, width))
			saved += v->widths[i] - width;
	return saved;
}

/* Returns the largest width of texts, down to the minimum, that saves @excess. */
static size_t query_find_width(const struct query_view *v, size_t excess)
{
	size_t low = TEXT_WIDTH_MIN, high = TEXT_WIDTH_MIN;

	for (size_t i = 0; i < v->n_columns; i++)
		if (query_is_wider(v, i, high))
			high = v->widths[i];
	while (low < high) {
		size_t middle = high - (high - low) / 2;

		if (query_saved(v, middle) >= excess)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/*
 * Narrows the widest text columns by @excess, or all to the minimum. If that does not divide
 * evenly, the first columns become one narrower than the others.
 */
static void query_narrow(struct query_view *v, size_t excess)
{
	size_t width = query_find_width(v, excess), saved = query_saved(v, width + 1);
	size_t n_more = excess > saved ? excess - saved : 0;

	for (size_t i = 0; i < v->n_columns; i++) {
		if (!query_is_wider(v, i, width))
			continue;
		v->widths[i] = n_more ? width : width + 1;
		n_more -= n_more > 0;
	}
}

static size_t query_table_width(const struct query_view *v)
{
	size_t width = (v->n_columns - 1) * strlen("  ");

	for (size_t i = 0; i < v->n_columns; i++)
		width += v->widths[i];
	return width;
}

/* Narrows texts, and then leaves out the last columns, until the table is as wide as the terminal.
 */
static void fit_terminal(struct query_view *v)
{
	size_t width = query_table_width(v);

	if (width <= v->options.columns)
		return;
	query_narrow(v, width - v->options.columns);
	width = query_table_width(v);
	while (width > v->options.columns && v->n_shown > 1)
		width -= v->widths[--v->n_shown] + strlen("  ");
}

/* Prints the cells that were kept until the widths were known. */
static void query_fit(struct query_view *v)
{
	for (size_t i = 0; i < v->cells.n; i++) {
		const struct waiting_cell *c = &v->cells.items[i];

		if (c->columns > v->widths[i % v->n_columns])
			v->widths[i % v->n_columns] = c->columns;
		if (c->is_number)
			v->has_numbers[i % v->n_columns] = true;
	}
	v->n_shown = v->n_columns;
	if (v->options.columns && v->n_columns > 1)
		fit_terminal(v);
	v->fitted = true;
	if (!v->options.no_header)
		put_titles(v);
	put_waiting(v);
}

static void add_waiting(struct query_view *v, const struct query_value *value)
{
	struct waiting_cell *c = ARRAY_ADD(&v->cells);
	size_t offset = v->waiting.length;

	if (value->kind == CELL_TEXT)
		escape_terminal(&v->waiting, value->text.bytes, value->text.n);
	else
		query_add_value(&v->waiting, value);
	*c = (struct waiting_cell){
		.offset = offset,
		.length = v->waiting.length - offset,
		.columns = escape_columns(v->waiting.chars + offset, v->waiting.length - offset),
		.is_number = value->kind == CELL_NUMBER || value->kind == CELL_REAL,
	};
}

static void table_row(struct query_view *v, const struct query_value *values)
{
	for (size_t i = 0; i < v->n_columns; i++)
		add_waiting(v, &values[i]);
	if (v->fitted)
		put_waiting(v);
	else if (v->cells.n >= FIT_ROWS * v->n_columns || v->waiting.length >= FIT_BYTES)
		query_fit(v);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void csv_text(struct query_view *v, const char *s, size_t n)
{
	struct text shown = TEXT_EMPTY;

	if (v->options.is_terminal)
		escape_terminal(&shown, s, n);
	else
		text_add_bytes(&shown, s, n);
	if (!shown.length || memchr(shown.chars, ',', shown.length) ||
	    memchr(shown.chars, '"', shown.length) || memchr(shown.chars, '\n', shown.length) ||
	    memchr(shown.chars, '\r', shown.length)) {
		text_add_char(&v->text, '"');
		for (size_t i = 0; i < shown.length; i++) {
			if (shown.chars[i] == '"')
				text_add_char(&v->text, '"');
			text_add_char(&v->text, shown.chars[i]);
		}
		text_add_char(&v->text, '"');
	} else {
		text_add_bytes(&v->text, shown.chars, shown.length);
	}
	text_done(&shown);
}

static void csv_row(struct query_view *v, const struct query_value *values)
{
	for (size_t i = 0; i < v->n_columns; i++) {
		if (i)
			text_add_char(&v->text, ',');
		if (values[i].kind == CELL_TEXT)
			csv_text(v, values[i].text.bytes, values[i].text.n);
		else
			query_add_value(&v->text, &values[i]);
	}
	text_add_char(&v->text, '\n');
	text_flush(&v->text, v->out, false);
}

static void csv_titles(struct query_view *v)
{
	for (size_t i = 0; i < v->n_columns; i++) {
		if (i)
			text_add_char(&v->text, ',');
		csv_text(v, v->names[i], strlen(v->names[i]));
	}
	text_add_char(&v->text, '\n');
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_cell(struct json *j, const struct query_value *v)
{
	switch (v->kind) {
	case CELL_NULL:
		json_null(j);
		break;
	case CELL_NUMBER:
		json_signed(j, v->number);
		break;
	case CELL_REAL:
		json_double(j, v->real);
		break;
	case CELL_TEXT:
		json_string_bytes(j, v->text.bytes, v->text.n);
		break;
	}
}

static void json_row(struct query_view *v, const struct query_value *values)
{
	v->json.on_line = false;
	json_object(&v->json);
	v->json.on_line = true;
	for (size_t i = 0; i < v->n_columns; i++) {
		json_key(&v->json, v->names[i]);
		json_cell(&v->json, &values[i]);
	}
	json_end(&v->json, '}');
	v->json.on_line = false;
}

/* True if one of the first @n columns has the name. Members of an object need different names. */
static bool query_is_used(const struct query_view *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v->names[i], name))
			return true;
	return false;
}

static char *member_name(const struct query_view *v, size_t n, const char *name)
{
	char *made = xstrdup(name);

	for (unsigned i = 2; query_is_used(v, n, made); i++) {
		free(made);
		made = xasprintf("%s_%u", name, i);
	}
	return made;
}

/* --- all -------------------------------------------------------------------------------------- */

static char *query_title_of(const struct query_view *v, size_t i, const char *name)
{
	struct text shown = TEXT_EMPTY;

	if (v->options.format == QUERY_JSON)
		return member_name(v, i, name);
	if (v->options.format == QUERY_CSV)
		return xstrdup(name);
	escape_terminal(&shown, name, strlen(name));
	return text_take(&shown);
}

void query_view_begin(struct query_view *v, const char *const *names, size_t n)
{
	v->names = xcalloc(n + 1, sizeof(*v->names));
	v->widths = xcalloc(n + 1, sizeof(*v->widths));
	v->has_numbers = xcalloc(n + 1, sizeof(*v->has_numbers));
	for (size_t i = 0; i < n; i++) {
		v->names[i] = query_title_of(v, i, names[i]);
		v->n_columns++;
		if (!v->options.no_header)
			v->widths[i] = escape_columns(v->names[i], strlen(v->names[i]));
	}
	v->fitted = false;
	if (v->n_results++ && v->options.format != QUERY_JSON)
		text_add_char(&v->text, '\n');
	if (v->options.format == QUERY_CSV && !v->options.no_header)
		csv_titles(v);
	if (v->options.format == QUERY_JSON) {
		json_init(&v->json, v->out);
		json_array(&v->json);
	}
}

void query_view_row(struct query_view *v, const struct query_value *values)
{
	switch (v->options.format) {
	case QUERY_TABLE:
		table_row(v, values);
		break;
	case QUERY_CSV:
		csv_row(v, values);
		break;
	case QUERY_JSON:
		json_row(v, values);
		break;
	}
}

void query_view_end(struct query_view *v)
{
	if (v->options.format == QUERY_TABLE && !v->fitted)
		query_fit(v);
	if (v->options.format == QUERY_TABLE && v->n_shown < v->n_columns)
		text_addf(&v->text, "%zu more %s shown on a wider terminal, or in a pipe.\n",
			  v->n_columns - v->n_shown,
			  v->n_columns - v->n_shown == 1 ? "column is" : "columns are");
	if (v->options.format == QUERY_JSON) {
		json_end(&v->json, ']');
		json_done(&v->json);
	}
	text_flush(&v->text, v->out, true);
	forget_names(v);
}
