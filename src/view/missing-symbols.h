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
 * A few lines for each of the objects with the most samples, then how many more there are. @m is
 * ranked. @columns: of the terminal on which people read it, what helps first; then packages are
 * looked for, which takes its time. 0: others read it, in lines that begin as they always did.
 */
void missing_symbols_print(FILE *err, struct missing_symbols *m, unsigned columns);

/* What is to be said about names that there are: one line for each image with a remark. */
void symbol_remarks_print(FILE *err, struct symbolizer *s);
