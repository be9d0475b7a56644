/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tables: one description of columns for text, for text with separators (-t, -x), and for JSON.
 *
 * A column says what it is called, what type of value it has, and how to get that from a row. Rows
 * are of any type: a table knows them only as pointers that it hands back. docs/howto/add-table.md
 * shows how a table is made.
 *
 * Text is aligned in two passes: table_fit() for each row, then table_add_row(). Once the widths
 * are there, several threads may print rows, each with its own scratch.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/value.h"

struct column;
struct json;

/* What a column is asked about. */
struct cell {
	const struct column *column;
	const void *row;
	const void *model;    /* table.model */
	struct text *scratch; /* empty; for texts that get() makes */
	bool uncut;           /* print() may say that COLUMN_CUTS does not apply */
};

enum column_align {
	ALIGN_BY_TYPE, /* numbers to the right, all else to the left */
	ALIGN_LEFT,
	ALIGN_RIGHT,
};

enum column_flags {
	COLUMN_CUTS = 1 << 0,     /* what is wider than the column is cut off */
	COLUMN_FILLS = 1 << 1,    /* a cell is as wide as its column even at the end of a line */
	COLUMN_FIXED = 1 << 2,    /* the column is not widened for what is in it */
	COLUMN_PADDED = 1 << 3,   /* aligned even between separators */
	COLUMN_BYTES = 1 << 4,    /* widths are in bytes, as in Linux's perf, not in characters */
	COLUMN_OPTIONAL = 1 << 5, /* JSON has no member where there is no value; else it is null */
};

struct column {
	const char *title; /* NULL: it is only in JSON */
	const char *above; /* a line above the titles, as wide as the column; NULL: blank */
	const char *name;  /* of the member in JSON; NULL: it is only in text */
	enum value_type type;
	unsigned flags; /* enum column_flags */
	enum column_align align, title_align;
	size_t width;     /* at least; the title's is counted, too */
	const char *none; /* the text where there is no value; NULL: nothing */
	struct value (*get)(const struct cell *at);

	/* For text that is not that of value_add(); each may be NULL: */

	/* Appends the text, without blanks to align it. */
	void (*print)(struct cell *at, struct text *out);
	/* How wide the column must be, if that is not the width of the text. */
	size_t (*measure)(const struct cell *at);
	/* Appends the whole cell, in a column of @width; returns how much of that it took. */
	size_t (*draw)(const struct cell *at, size_t width, struct text *out);

	/* For get() and its like: */
	size_t index;
	const void *arg;
};

struct table_style {
	const char *separator; /* between cells, in which it becomes a '.'; NULL: two blanks */
	bool escape;           /* the output is a terminal: texts must not act on it */
	bool no_dots;          /* no line below the titles */
	bool trims;            /* no blanks at the end of a line */
};

struct table {
	const struct column *columns;
	size_t n;
	const void *model;
	struct table_style style;
	size_t *widths; /* by column */
	size_t last;    /* of the columns in text */
};

struct table_scratch {
	struct text cell, shown, made;
};

#define TABLE_SCRATCH                                                                              \
	{                                                                                          \
		.cell = TEXT_EMPTY, .shown = TEXT_EMPTY, .made = TEXT_EMPTY                        \
	}

void table_scratch_done(struct table_scratch *s);

/* A table of @columns, which are borrowed, as wide as their titles. */
void table_init(struct table *t, const struct column *columns, size_t n, const void *model,
		const struct table_style *style);
void table_done(struct table *t);

/* Makes the columns as wide as @row needs. */
void table_fit(struct table *t, const void *row, struct table_scratch *s);

/* Makes the columns as wide as those of @other, which is made like it. */
void table_fit_like(struct table *t, const struct table *other);

/* How wide all columns are together, with gaps of @gap. */
size_t table_width(const struct table *t, size_t gap);

/* What stands between two cells. */
const char *table_gap(const struct table *t);

/* Append the cells of a line, without its end; the last is filled up if something @follows. */
void table_add_titles(const struct table *t, struct text *out);
void table_add_dots(const struct table *t, struct text *out);
void table_add_cells(const struct table *t, const void *row, bool follows, struct table_scratch *s,
		     struct text *out);

/* Appends what stands above the titles; false: nothing does. */
bool table_add_above(const struct table *t, struct text *out);

/* Append lines: the titles behind a "# " with the dots below them, unless there is a separator; and
 * a row, behind two blanks unless there is a separator. */
void table_add_heads(const struct table *t, struct text *out);
void table_add_row(const struct table *t, const void *row, struct table_scratch *s,
		   struct text *out);

/* Appends everything: @n rows, which begin @size bytes after each other at @rows. */
void table_add(struct table *t, const void *rows, size_t n, size_t size, struct text *out);

/* Writes the members of @row, in an object that is open. */
void table_write_members(const struct table *t, const void *row, struct table_scratch *s,
			 struct json *j);

/* Writes, in an array that is open, what the members are: { name, title, type }. */
void table_write_columns(const struct table *t, struct json *j);
