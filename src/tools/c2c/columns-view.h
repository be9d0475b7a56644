/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Columns of the tables of `perf c2c report`, whose titles take two lines, some of them above
 * several columns.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct c2c_column {
	const char *span; /* stands above this and the next columns, up to @n_span; or NULL */
	size_t n_span;
	const char *first, *second; /* the two lines of its own title; NULL: blank */
	size_t width;
	unsigned rank; /* on narrow terminals higher ones are left out first; 0: it always stays */
	bool left_out;
	size_t spare; /* blanks in front of all cells, which narrow terminals do not get */
};

/* An address, 0 too with "0x", in a column of 18 behind two blanks. */
void c2c_address_print(uint64_t addr, FILE *out);

/*
 * Marks columns that are left out until the others fit the terminal, without their spare blanks.
 * @terminal_columns 0: all stay as they are. Returns how many are left out.
 */
size_t c2c_columns_fit(struct c2c_column *columns, size_t n, unsigned terminal_columns);

/* How many blanks are in front of @addr in its column. */
size_t c2c_address_spare(uint64_t addr);

/* A row that is printed with all its columns first. */
struct c2c_row {
	char *chars;
	size_t n;
	FILE *file; /* where to print it; NULL: there is no memory */
};

void c2c_row_begin(struct c2c_row *r);

/* Prints the row, which ends with its end of line, without the columns that are left out. */
void c2c_row_end(struct c2c_row *r, const struct c2c_column *columns, size_t n, FILE *out);

/* The lines above a table: "#", the titles, dots, "#". */
void c2c_columns_print(const struct c2c_column *columns, size_t n, FILE *out);
