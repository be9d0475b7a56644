/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows as text, a line each with tabs between the cells: the text format of PostgreSQL's COPY and
 * ClickHouse's TabSeparated, which agree in all that is written here. `\N` is NULL; a backslash
 * stands before what has a meaning.
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

/* Forgets the rows, and keeps the room. */
void tab_writer_clear(struct tab_writer *w);

/* The next cell of the row. A byte of @s that is no UTF-8 becomes \xNN (base/escape.h). */
void tab_writer_text(struct tab_writer *w, const char *s);
void tab_writer_number(struct tab_writer *w, int64_t number);
void tab_writer_null(struct tab_writer *w);

void tab_writer_end_row(struct tab_writer *w);

/* Rows that were received. A cell belongs to the reader, and lasts as long as the row. */
struct tab_cell {
	const char *text; /* NULL: the cell is NULL */
	size_t length;    /* a NUL follows, and may be among them */
};

/* Takes a row. A negative errno ends the reading. */
typedef int tab_row_fn(void *arg, const struct tab_cell *cells);

/* How many columns a row may have, and how long a line may be. */
#define TAB_COLUMNS_MAX 32
#define TAB_LINE_MAX    (16u << 20)

struct tab_reader {
	/* Given by the caller: */
	size_t n_columns;
	tab_row_fn *row;
	void *arg;
	/* Private: */
	struct text line; /* the beginning of a line whose end has not come */
	uint64_t n_lines;
};

void tab_reader_init(struct tab_reader *r, size_t n_columns, tab_row_fn *row, void *arg);
void tab_reader_done(struct tab_reader *r);

/*
 * Takes more of the answer, in pieces that may end anywhere. -EBADMSG with @diag: a line is no row
 * of @n_columns. Otherwise what the row function returned.
 */
int tab_reader_add(struct tab_reader *r, const char *bytes, size_t n, struct diag *diag);

/* There is no more. -EBADMSG with @diag: the last line has no end. */
int tab_reader_end(const struct tab_reader *r, struct diag *diag);

/* The cell as a number. -EBADMSG: it is none. */
int tab_cell_number(const struct tab_cell *c, int64_t *ret);
