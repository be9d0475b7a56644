/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tables: one description of columns for text, for text with separators (-t, -x), and for JSON.
 *
 * A column defines its title, the type of its value, and a function that gets the value from a row.
 * Rows are of any type: a table only has pointers to them, which it passes back.
 * docs/howto/add-table.md shows how to make a table.
 *
 * Text is aligned in two passes: table_fit() for each row, then table_add_row(). When the widths
 * are known, several threads may print rows, each with its own scratch.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/value.h"

struct column;
struct json;

/* The cell for which a column is queried. */
struct cell {
	const struct column *column;
	const void *row;
	const void *model;    /* table.model */
	struct text *scratch; /* empty; for texts made by get() */
	bool uncut;           /* set by print() if COLUMN_CUTS does not apply */
};

enum column_align {
	ALIGN_BY_TYPE, /* numbers to the right, others to the left */
	ALIGN_LEFT,
	ALIGN_RIGHT,
};

enum column_flags {
	COLUMN_CUTS = 1 << 0,     /* text wider than the column is cut off */
	COLUMN_FILLS = 1 << 1,    /* a cell is as wide as its column even at the end of a line */
	COLUMN_FIXED = 1 << 2,    /* the contents do not widen the column */
	COLUMN_PADDED = 1 << 3,   /* aligned even if there are separators */
	COLUMN_BYTES = 1 << 4,    /* widths are in bytes, as in Linux's perf, not in characters */
	COLUMN_OPTIONAL = 1 << 5, /* a missing value has no member in JSON; else it is null */
};

struct column {
	const char *title; /* NULL: only in JSON */
	const char *above; /* a line above the titles, as wide as the column; NULL: blank */
	const char *name;  /* the member's name in JSON; NULL: only in text */
	enum value_type type;
	unsigned flags; /* enum column_flags */
	enum column_align align, title_align;
	size_t width;     /* the minimum; the title's width is included */
	const char *none; /* the text for a missing value; NULL: nothing */
	struct value (*get)(const struct cell *at);

	/* For text other than that of value_add(); each may be NULL: */

	/* Appends the text, without blanks to align it. */
	void (*print)(struct cell *at, struct text *out);
	/* Returns the width of the column, if it is not the width of the text. */
	size_t (*measure)(const struct cell *at);
	/* Appends the whole cell, in a column of @width. Returns the width that it took. */
	size_t (*draw)(const struct cell *at, size_t width, struct text *out);

	/* For get() and the other callbacks: */
	size_t index;
	const void *arg;
};

struct table_style {
	const char *separator; /* between cells; replaced by '.' within them; NULL: two blanks */
	bool escape;           /* the output is a terminal: escape texts */
	bool no_dots;          /* no line below the titles */
	bool trims;            /* no blanks at the end of a line */
};

struct table {
	const struct column *columns;
	size_t n;
	const void *model;
	struct table_style style;
	size_t *widths; /* by column */
	size_t last;    /* the last column in text */
};

struct table_scratch {
	struct text cell, shown, made;
};

#define TABLE_SCRATCH                                                                              \
	{                                                                                          \
		.cell = TEXT_EMPTY, .shown = TEXT_EMPTY, .made = TEXT_EMPTY                        \
	}

void table_scratch_done(struct table_scratch *s);

/* Makes a table of @columns, which are borrowed, as wide as their titles. */
void table_init(struct table *t, const struct column *columns, size_t n, const void *model,
		const struct table_style *style);
void table_done(struct table *t);

/* Widens the columns as @row needs it. */
void table_fit(struct table *t, const void *row, struct table_scratch *s);

/* Widens the columns to those of @other, which must have the same columns. */
void table_fit_like(struct table *t, const struct table *other);

/* Returns the width of all columns together, with gaps of @gap. */
size_t table_width(const struct table *t, size_t gap);

/* Returns the text between two cells. */
const char *table_gap(const struct table *t);

/* Append the cells of a line, without a newline. The last cell is padded if text @follows. */
void table_add_titles(const struct table *t, struct text *out);
void table_add_dots(const struct table *t, struct text *out);
void table_add_cells(const struct table *t, const void *row, bool follows, struct table_scratch *s,
		     struct text *out);

/* Appends the line above the titles. False: there is none. */
bool table_add_above(const struct table *t, struct text *out);

/*
 * Append lines: the titles after a "# " with the dots below them, unless there is a separator; and
 * a row, after two blanks unless there is a separator.
 */
void table_add_heads(const struct table *t, struct text *out);
void table_add_row(const struct table *t, const void *row, struct table_scratch *s,
		   struct text *out);

/* Appends everything: @n rows, which are @size bytes apart at @rows. */
void table_add(struct table *t, const void *rows, size_t n, size_t size, struct text *out);

/* Writes the members of @row to an open object. */
void table_write_members(const struct table *t, const void *row, struct table_scratch *s,
			 struct json *j);

/* Writes the description of the members to an open array: { name, title, type }. */
void table_write_columns(const struct table *t, struct json *j);
