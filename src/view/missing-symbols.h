/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Explains on stderr, after a report, why some samples have no function names, and what helps.
 *
 * profile/missing-symbols.h counts them; only the text is made here.
 */
#include <stdbool.h>
#include <stdio.h>

struct missing_symbols;
struct symbolizer;

/*
 * Prints a few lines for each of the objects with the most samples, then the number of further
 * ones. @m is ranked. @columns is the width of the terminal for users, who get the most helpful
 * advice first; packages are then looked up, which takes time. 0: for programs, the lines begin as
 * they always did.
 */
void missing_symbols_print(FILE *err, struct missing_symbols *m, unsigned columns);

/* Prints remarks about names: one line for each image with a remark. */
void symbol_remarks_print(FILE *err, struct symbolizer *s);
