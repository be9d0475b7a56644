/* SPDX-License-Identifier: MIT */
#include "base/squeeze.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

/* A row keeps at least this many cells. */
#define CELLS_MIN 3

/* A line as columns: the beginning of each, including the colours before it, and the end. */
struct squeeze_line {
	const char **at;
	size_t width;
	bool is_rule; /* dashes and similar characters: as long as the other lines */
	bool is_row;  /* long enough to belong to the table */
};

struct squeeze_lines {
	struct squeeze_line *items;
	size_t n, room;
};

struct squeeze_block {
	struct squeeze_lines lines;
	size_t widest;
	bool *gone;   /* by column: it is removed */
	size_t width; /* without the removed columns */
	size_t end;   /* columns from here on are removed too */
};

static const char *skip_colour(const char *s, const char *end)
{
	while (end - s > 1 && s[0] == '\033' && s[1] == '[') {
		const char *m = memchr(s, 'm', (size_t)(end - s));

		if (!m)
			return s;
		s = m + 1;
	}
	return s;
}

static const char *skip_character(const char *s, const char *end)
{
	s = skip_colour(s, end);
	if (s < end)
		s++;
	while (s < end && ((unsigned char)*s & 0xc0) == 0x80)
		s++;
	return s;
}

static char squeeze_character(const struct squeeze_line *l, size_t i)
{
	return i < l->width ? *skip_colour(l->at[i], l->at[l->width]) : ' ';
}

static void line_split(struct squeeze_line *l, const char *s, size_t n)
{
	const char *end = s + n;

	*l = (struct squeeze_line){ .at = xcalloc(n + 1, sizeof(*l->at)), .is_rule = n > 0 };
	while (s < end) {
		const char *next = skip_character(s, end);

		l->at[l->width++] = s;
		l->is_rule = l->is_rule && strchr("-=.+ #", *skip_colour(s, end));
		s = next;
	}
	l->at[l->width] = end;
}

static void block_done(struct squeeze_block *b)
{
	for (size_t i = 0; i < b->lines.n; i++)
		free(b->lines.items[i].at);
	free(b->lines.items);
	free(b->gone);
}

static bool has_gaps(const struct squeeze_line *l)
{
	for (size_t i = 1; i + 1 < l->width; i++)
		if (squeeze_character(l, i - 1) != ' ' && squeeze_character(l, i) == ' ' &&
		    squeeze_character(l, i + 1) == ' ')
			return true;
	return false;
}

static size_t squeeze_width_of(const char *s)
{
	size_t n = strcspn(s, "\n"), width = 0;

	while (n && s[n - 1] == ' ')
		n--;
	for (const char *end = s + n; s < end; s = skip_character(s, end))
		width++;
	return width;
}

/* True if there are more rows of the table after an empty line, below a title of their own. */
static bool has_more_rows(const struct squeeze_block *b, const char *s, size_t columns)
{
	const char *title = s + 1, *end = strchr(title, '\n');
	size_t width;

	if (!end || end == title || end[-1] != ':')
		return false;
	width = squeeze_width_of(end + 1);
	for (size_t i = 0; i < b->lines.n && width > columns; i++)
		if (b->lines.items[i].width == width && !b->lines.items[i].is_rule)
			return true;
	return false;
}

/*
 * True if the table goes on after an empty line. There may be one between a heading and its rows,
 * if both are too long.
 */
static bool squeeze_goes_on(const struct squeeze_block *b, const char *s, size_t columns)
{
	if (has_more_rows(b, s, columns))
		return true;
	return b->lines.n == 1 && has_gaps(&b->lines.items[0]) &&
	       b->lines.items[0].width > columns && s[0] == '\n' && strcspn(s + 1, "\n") > columns;
}

/* True if the bars are in the same columns as those of the heading, as far as the line goes. */
static bool has_bars_of(const struct squeeze_line *l, const struct squeeze_line *heading)
{
	for (size_t i = 0; i < heading->width && i < l->width; i++)
		if (squeeze_character(heading, i) == '|' && squeeze_character(l, i) != '|')
			return false;
	return true;
}

/* True if line @i is a title, as in has_more_rows(). */
static bool is_title(const struct squeeze_block *b, size_t i)
{
	const struct squeeze_line *l = &b->lines.items[i];

	return i && !b->lines.items[i - 1].width && l->width &&
	       squeeze_character(l, l->width - 1) == ':';
}

/*
 * Finds the rows: long lines, except those whose bars are out of place because a cell is too long.
 */
static void squeeze_find_rows(struct squeeze_block *b)
{
	const struct squeeze_line *heading = NULL;

	for (size_t i = 0; i < b->lines.n; i++)
		if (b->lines.items[i].width > b->widest)
			b->widest = b->lines.items[i].width;
	for (size_t i = 0; i < b->lines.n; i++) {
		struct squeeze_line *l = &b->lines.items[i];

		l->is_row = !l->is_rule && !is_title(b, i) && 3 * l->width > b->widest &&
			    (!heading || has_bars_of(l, heading));
		if (l->is_row && !heading)
			heading = l;
	}
}

/* Reads lines up to an empty one. Returns the text after them. */
static const char *block_read(struct squeeze_block *b, const char *s, size_t columns)
{
	while (*s && (*s != '\n' || squeeze_goes_on(b, s, columns))) {
		size_t n = strcspn(s, "\n"), kept = n;

		while (kept && s[kept - 1] == ' ')
			kept--;
		line_split(ARRAY_ADD(&b->lines), s, kept);
		s += n + (s[n] == '\n');
	}
	squeeze_find_rows(b);
	return s;
}

static bool squeeze_is_blank(const struct squeeze_block *b, size_t column)
{
	for (size_t i = 0; i < b->lines.n; i++)
		if (b->lines.items[i].is_row &&
		    squeeze_character(&b->lines.items[i], column) != ' ')
			return false;
	return true;
}

/* True if all rows that are long enough have a bar in @column. */
static bool is_bar(const struct squeeze_block *b, size_t column)
{
	bool any = false;

	for (size_t i = 0; i < b->lines.n; i++) {
		const struct squeeze_line *l = &b->lines.items[i];

		if (!l->is_row || column >= l->width)
			continue;
		if (squeeze_character(l, column) != '|')
			return false;
		any = true;
	}
	return any;
}

/* A gap of the table, from @at to @end: @spare of its columns can be removed. */
struct gap {
	size_t at, end, spare;
};

/*
 * Returns the next column of a gap to be removed. Dashes are removed before the blanks between
 * them, so that a line of dashes still shows the columns.
 */
static size_t next_of_gap(const struct squeeze_block *b, const struct gap *g)
{
	size_t last = g->at;

	for (size_t i = g->at; i < g->end; i++) {
		bool is_dash = true;

		if (b->gone[i])
			continue;
		last = i;
		for (size_t k = 0; k < b->lines.n; k++)
			if (b->lines.items[k].is_rule &&
			    squeeze_character(&b->lines.items[k], i) == ' ')
				is_dash = false;
		if (is_dash)
			return i;
	}
	return last;
}

static void widen_gone(struct squeeze_block *b, struct gap *gaps, size_t n, size_t columns)
{
	while (b->width > columns) {
		struct gap *widest = NULL;

		for (size_t i = 0; i < n; i++)
			if (gaps[i].spare && (!widest || gaps[i].spare > widest->spare))
				widest = &gaps[i];
		if (!widest)
			return;
		b->gone[next_of_gap(b, widest)] = true;
		widest->spare--;
		b->width--;
	}
}

static void drop_blanks(struct squeeze_block *b, size_t columns)
{
	_cleanup_(freep) struct gap *gaps = xcalloc(b->widest + 1, sizeof(*gaps));
	size_t n = 0;

	for (size_t i = 0, from = 0; i <= b->widest; i++) {
		if (i < b->widest && squeeze_is_blank(b, i))
			continue;
		/* One blank remains, except at the beginning, where none is needed. */
		if (i > from + (from > 0))
			gaps[n++] = (struct gap){ from, i, i - from - (from > 0) };
		from = i + 1;
	}
	widen_gone(b, gaps, n, columns);
}

static size_t drop_cells(struct squeeze_block *b, size_t columns)
{
	size_t width = 0, cells = 0, end = 0, kept = 0, before = 0;

	for (size_t i = 0; i < b->widest; i++) {
		width += !b->gone[i];
		if (!is_bar(b, i))
			continue;
		cells++;
		/* The bar at the end of a line, and the blank before it, may be missing. */
		if (width <= columns + strlen(" |")) {
			before = width <= columns ? width : columns;
			end = i + 1 - (width - before);
			kept = cells;
		}
	}
	if (kept < CELLS_MIN || end >= b->widest)
		return 0;
	cells += !is_bar(b, b->widest - 1);
	b->end = end;
	b->width = before;
	return cells - kept;
}

/*
 * True if @l can be squeezed. A line that is not a row may have text where rows have gaps; it is
 * then left unchanged.
 */
static bool can_be_squeezed(const struct squeeze_block *b, const struct squeeze_line *l)
{
	if (l->is_row || l->is_rule)
		return true;
	for (size_t i = 0; i < l->width; i++)
		if (b->gone[i] && squeeze_character(l, i) != ' ')
			return false;
	return true;
}

static void squeeze_add_line(struct text *out, const struct squeeze_block *b,
			     const struct squeeze_line *l)
{
	bool squeezed = can_be_squeezed(b, l);

	for (size_t i = 0; i < l->width && (!squeezed || i < b->end); i++)
		if (!squeezed || !b->gone[i])
			text_add_bytes(out, l->at[i], (size_t)(l->at[i + 1] - l->at[i]));
	text_add_char(out, '\n');
}

static size_t squeeze_add_block(struct text *out, struct squeeze_block *b, size_t columns)
{
	size_t left_out = 0;

	b->gone = xcalloc(b->widest + 1, sizeof(*b->gone));
	b->width = b->end = b->widest;
	if (b->width > columns)
		drop_blanks(b, columns);
	if (b->width > columns)
		left_out = drop_cells(b, columns);
	for (size_t i = 0; i < b->lines.n; i++)
		squeeze_add_line(out, b, &b->lines.items[i]);
	return left_out;
}

size_t text_add_squeezed(struct text *out, const char *s, size_t columns)
{
	size_t left_out = 0;

	while (*s) {
		_cleanup_(block_done) struct squeeze_block b = { 0 };
		size_t n;

		if (*s == '\n') {
			text_add_char(out, *s++);
			continue;
		}
		s = block_read(&b, s, columns);
		n = squeeze_add_block(out, &b, columns);
		left_out = n > left_out ? n : left_out;
	}
	return left_out;
}
