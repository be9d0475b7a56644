/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Columns of the tables of `perf c2c report`. Titles take two lines, some of them above several
 * columns.
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
	unsigned rank; /* higher ones are dropped first on narrow terminals; 0: never */
	bool left_out;
	size_t spare; /* blanks before all cells, dropped on narrow terminals */
};

/* Prints an address, even 0 with "0x", in a column of 18 after two blanks. */
void c2c_address_print(uint64_t addr, FILE *out);

/*
 * Marks columns as left out until the others fit the terminal, without their spare blanks.
 * @terminal_columns 0: nothing is left out. Returns how many are left out.
 */
size_t c2c_columns_fit(struct c2c_column *columns, size_t n, unsigned terminal_columns);

/* Returns how many blanks precede @addr in its column. */
size_t c2c_address_spare(uint64_t addr);

/* A row, which is first printed with all its columns. */
struct c2c_row {
	char *chars;
	size_t n;
	FILE *file; /* stream to print it to; NULL: out of memory */
};

void c2c_row_begin(struct c2c_row *r);

/* Prints the row, which ends with its end of line, without the columns that are left out. */
void c2c_row_end(struct c2c_row *r, const struct c2c_column *columns, size_t n, FILE *out);

/* Prints the lines above a table: "#", the titles, dots, "#". */
void c2c_columns_print(const struct c2c_column *columns, size_t n, FILE *out);
