/* SPDX-License-Identifier: MIT */
#include "store/tab-rows.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/number.h"

void tab_writer_done(struct tab_writer *w)
{
	text_done(&w->rows);
	text_done(&w->utf8);
}

void tab_writer_clear(struct tab_writer *w)
{
	text_clear(&w->rows);
	w->n_rows = 0;
}

/* Returns the letter that stands for a character behind a backslash; NUL: the character itself. */
static char escape_letter(char c)
{
	switch (c) {
	case '\t':
		return 't';
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\b':
		return 'b';
	case '\f':
		return 'f';
	case '\v':
		return 'v';
	case '\\':
		return '\\';
	default:
		return '\0';
	}
}

void tab_writer_text(struct tab_writer *w, const char *s)
{
	char *at;

	text_clear(&w->utf8);
	escape_not_utf8(&w->utf8, s, strlen(s));
	at = text_room(&w->rows, 2 * w->utf8.length + 1);
	for (const char *c = w->utf8.chars; *c; c++) {
		char letter = escape_letter(*c);

		if (letter)
			*at++ = '\\';
		*at++ = letter ? letter : *c;
	}
	*at++ = '\t';
	text_filled(&w->rows, at);
}

void tab_writer_number(struct tab_writer *w, int64_t number)
{
	char *at = digits_signed(text_room(&w->rows, DIGITS_MAX + 1), number);

	*at++ = '\t';
	text_filled(&w->rows, at);
}

void tab_writer_null(struct tab_writer *w)
{
	text_add_bytes(&w->rows, "\\N\t", 3);
}

/* The tab after the last cell becomes the end of the line. */
void tab_writer_end_row(struct tab_writer *w)
{
	assert(w->rows.length && w->rows.chars[w->rows.length - 1] == '\t');
	w->rows.chars[w->rows.length - 1] = '\n';
	w->n_rows++;
}

void tab_reader_init(struct tab_reader *r, size_t n_columns, tab_row_fn *row, void *arg)
{
	assert(n_columns > 0 && n_columns <= TAB_COLUMNS_MAX);
	*r = (struct tab_reader){
		.n_columns = n_columns, .row = row, .arg = arg, .line = TEXT_EMPTY
	};
}

void tab_reader_done(struct tab_reader *r)
{
	text_done(&r->line);
}

static int tab_rows_refuse(const struct tab_reader *r, struct diag *diag, const char *problem)
{
	return diag_set(diag, -EBADMSG, "the server's answer is damaged: row %llu %s",
			(unsigned long long)r->n_lines, problem);
}

/* Returns the character for a backslash followed by @c, or -1. */
static int tab_rows_unescape(char c)
{
	static const char letters[] = "tnr\\bfva0'", plain[] = "\t\n\r\\\b\f\v\a\0'";
	const char *found = c ? strchr(letters, c) : NULL;

	return found ? (unsigned char)plain[found - letters] : -1;
}

/*
 * Takes one cell of the line, in place: its characters, with a NUL for the tab. Returns the end of
 * what was read, or NULL: a character after a backslash has no meaning.
 */
static char *take_cell(char *at, const char *end, struct tab_cell *ret)
{
	char *to = at, *start = at;
	bool is_null = end - at >= 2 && !memcmp(at, "\\N", 2) && (end - at == 2 || at[2] == '\t');

	if (is_null) {
		*ret = (struct tab_cell){ 0 };
		return at + 2;
	}
	for (; at < end && *at != '\t'; at++) {
		int c = (unsigned char)*at;

		if (c == '\\') {
			c = ++at < end ? tab_rows_unescape(*at) : -1;
			if (c < 0)
				return NULL;
		}
		*to++ = (char)c;
	}
	*ret = (struct tab_cell){ .text = start, .length = (size_t)(to - start) };
	return at;
}

/*
 * Takes a line. NULs after the cells are set last, because the end of a cell may be the separating
 * tab.
 */
static int tab_rows_take_line(struct tab_reader *r, struct diag *diag)
{
	struct tab_cell cells[TAB_COLUMNS_MAX];
	char *at = r->line.chars;
	const char *end = at + r->line.length;

	r->n_lines++;
	for (size_t i = 0; i < r->n_columns; i++) {
		at = take_cell(at, end, &cells[i]);
		if (!at)
			return tab_rows_refuse(r, diag, "has a backslash with nothing to escape");
		if (i + 1 < r->n_columns && at++ == end)
			return tab_rows_refuse(r, diag, "has too few columns");
	}
	if (at != end)
		return tab_rows_refuse(r, diag, "has too many columns");
	for (size_t i = 0; i < r->n_columns; i++)
		if (cells[i].text)
			((char *)cells[i].text)[cells[i].length] = '\0';
	return r->row(r->arg, cells);
}

int tab_reader_add(struct tab_reader *r, const char *bytes, size_t n, struct diag *diag)
{
	while (n) {
		const char *end = memchr(bytes, '\n', n);
		size_t length = end ? (size_t)(end - bytes) : n;
		int result;

		if (length > TAB_LINE_MAX - r->line.length)
			return tab_rows_refuse(r, diag, "is followed by one of more than 16 MB");
		text_add_bytes(&r->line, bytes, length);
		if (!end)
			return 0;
		result = tab_rows_take_line(r, diag);
		if (result < 0)
			return result;
		text_clear(&r->line);
		bytes += length + 1;
		n -= length + 1;
	}
	return 0;
}

int tab_reader_end(const struct tab_reader *r, struct diag *diag)
{
	return r->line.length ? tab_rows_refuse(r, diag, "is followed by one that is cut off") : 0;
}

int tab_cell_number(const struct tab_cell *c, int64_t *ret)
{
	return c->text && strlen(c->text) == c->length && !number_parse_signed(c->text, ret)
		       ? 0
		       : -EBADMSG;
}
