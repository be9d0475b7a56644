/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows as text, one line each with tabs between the cells: the text format of PostgreSQL's COPY and
 * ClickHouse's TabSeparated, which agree in everything that is written here. `\N` is NULL; a
 * backslash precedes characters with a meaning.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct diag;

/* Rows to be sent. `struct tab_writer w = TAB_WRITER_EMPTY;` */
struct tab_writer {
	struct text rows; /* complete once tab_writer_end_row() was called */
	size_t n_rows;
	struct text utf8; /* private */
};

#define TAB_WRITER_EMPTY                                                                           \
	{                                                                                          \
		.rows = TEXT_EMPTY, .utf8 = TEXT_EMPTY                                             \
	}

void tab_writer_done(struct tab_writer *w);

/* Removes the rows, and keeps the capacity. */
void tab_writer_clear(struct tab_writer *w);

/* Append the next cell of the row. A byte of @s that is not UTF-8 becomes \xNN (base/escape.h). */
void tab_writer_text(struct tab_writer *w, const char *s);
void tab_writer_number(struct tab_writer *w, int64_t number);
void tab_writer_null(struct tab_writer *w);

void tab_writer_end_row(struct tab_writer *w);

/* A cell of a received row. It belongs to the reader, and lasts as long as the row. */
struct tab_cell {
	const char *text; /* NULL: the cell is NULL */
	size_t length;    /* a NUL follows; the text may contain NULs */
};

/* Takes a row. A negative errno ends the reading. */
typedef int tab_row_fn(void *arg, const struct tab_cell *cells);

/* The maximum number of columns of a row, and the maximum length of a line. */
#define TAB_COLUMNS_MAX 32
#define TAB_LINE_MAX    (16u << 20)

struct tab_reader {
	/* Set by the caller: */
	size_t n_columns;
	tab_row_fn *row;
	void *arg;
	/* Private: */
	struct text line; /* the beginning of an incomplete line */
	uint64_t n_lines;
};

void tab_reader_init(struct tab_reader *r, size_t n_columns, tab_row_fn *row, void *arg);
void tab_reader_done(struct tab_reader *r);

/*
 * Takes more of the answer, in pieces that may end anywhere. -EBADMSG with @diag: a line is no row
 * of @n_columns. Otherwise returns the result of the row function.
 */
int tab_reader_add(struct tab_reader *r, const char *bytes, size_t n, struct diag *diag);

/* Ends the answer. -EBADMSG with @diag: the last line has no end. */
int tab_reader_end(const struct tab_reader *r, struct diag *diag);

/* Returns the cell as a number. -EBADMSG: it is not a number. */
int tab_cell_number(const struct tab_cell *c, int64_t *ret);
