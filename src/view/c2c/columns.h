/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Columns of the tables of `perf c2c report`, whose titles take two lines, some of them above
 * several columns.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct c2c_column {
	const char *span; /* stands above this and the next columns, up to @n_span; or NULL */
	size_t n_span;
	const char *first, *second; /* the two lines of its own title; NULL: blank */
	size_t width;
};

/* An address, 0 too with "0x", in a column of 18 behind two blanks. */
void c2c_address_print(uint64_t addr, FILE *out);

/* The lines above a table: "#", the titles, dots, "#". */
void c2c_columns_print(const struct c2c_column *columns, size_t n, FILE *out);
