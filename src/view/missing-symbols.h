/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why some samples have no function names, and what helps: printed on stderr after a report.
 *
 * The caller counts; here is only the text. Nothing is printed for objects that can have no names
 * ([vsyscall], memory without code), nor where the samples without names are too few to matter.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct image;
struct symbolizer;

/* An object with samples at addresses that no symbol covers. */
struct missing_object {
	const struct image *image; /* NULL: addresses at which nothing is known to lie */
	uint64_t samples;
};

struct missing_symbols {
	struct missing_object *items; /* the caller's; sorted, merged and shortened here */
	size_t n;
	uint64_t total; /* of all samples, named or not */
	bool by_name;   /* packages are looked for, which takes its time */
};

/* One or two lines for each of the objects with the most samples, then how many more there are. */
void missing_symbols_print(FILE *err, struct missing_symbols *m);

/* What is to be said about names that there are: one line for each image with a remark. */
void symbol_remarks_print(FILE *err, struct symbolizer *s);
