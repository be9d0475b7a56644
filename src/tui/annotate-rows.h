/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A listing as rows of the browser: the shown lines, the lines with the most weight, the targets of
 * jumps, and searches for text. It does not use the screen.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_text;
struct listing;
struct listing_whole;
struct text;

/* Rows that are not lines of the listing. */
enum {
	ANNOTATE_ROW_BLANK = -1,
	ANNOTATE_ROW_SECTION = -2, /* "Disassembly of section .text:" */
	ANNOTATE_ROW_SYMBOL = -3,  /* "0000000000000754 <leaf>:" */
};

struct annotate_rows {
	int32_t *items; /* the number of a line, or one of the above */
	size_t n, room;
};

/* Fills @r again with the rows that @t shows. */
void annotate_rows_fill(struct annotate_rows *r, const struct line_text *t);
void annotate_rows_done(struct annotate_rows *r);

/*
 * Returns the row of @line or, if that is not shown, of the next shown line. 0 if there are no
 * rows.
 */
size_t annotate_rows_find(const struct annotate_rows *r, size_t line);

/* Returns the line of row @row or, if it has none, of the next row that has one. */
size_t annotate_rows_line(const struct annotate_rows *r, size_t row);

/* Lines with samples, the largest share first; lines with equal shares by address. */
struct annotate_hottest {
	uint32_t *items;
	size_t n, room;
};
void annotate_hottest_fill(struct annotate_hottest *h, const struct listing *l,
			   const struct listing_whole *of);
void annotate_hottest_done(struct annotate_hottest *h);

/* Returns the line that comes @step places after @line; if @line is not among them, the first. */
size_t annotate_hottest_next(const struct annotate_hottest *h, size_t line, int step);

/* Returns the line at @addr; l->n: no instruction begins there. */
size_t annotate_line_at(const struct listing *l, uint64_t addr);

/* A jump within the function, as rows. */
struct annotate_jump {
	bool is_there;
	size_t from, to;
};

/* Returns the jump of the line at row @row. */
struct annotate_jump annotate_rows_jump(const struct annotate_rows *r, const struct listing *l,
					size_t row);

/* The part of a jump that is visible in a row. */
enum jump_part {
	JUMP_NOTHING,
	JUMP_FROM_ABOVE, /* it begins here and leads down */
	JUMP_FROM_BELOW, /* it begins here and leads up */
	JUMP_TO_ABOVE,   /* it ends here and began below */
	JUMP_TO_BELOW,   /* it ends here and began above */
	JUMP_PASSES,
};
enum jump_part annotate_jump_part(const struct annotate_jump *j, size_t row);

/* Appends the text of a row from its offset on, as it is shown and searched. */
void annotate_row_add(struct line_text *t, const struct annotate_rows *r, size_t row,
		      struct text *out);

/*
 * Returns the first row after @from (@step is 1) or before it (-1) that contains @part, ignoring
 * case. After the last row comes the first. r->n: no row contains it.
 */
size_t annotate_rows_search(struct line_text *t, const struct annotate_rows *r, const char *part,
			    size_t from, int step);
