/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why some samples have no function names, and what helps: printed on stderr after a report.
 *
 * profile/missing-symbols.h counts; here is only the text.
 */
#include <stdbool.h>
#include <stdio.h>

struct missing_symbols;
struct symbolizer;

/*
 * One or two lines for each of the objects with the most samples, then how many more there are.
 * @m is ranked. @by_name: packages are looked for, which takes its time.
 */
void missing_symbols_print(FILE *err, struct missing_symbols *m, bool by_name);

/* What is to be said about names that there are: one line for each image with a remark. */
void symbol_remarks_print(FILE *err, struct symbolizer *s);
