/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the table of `perf lock contention`, as text or as CSV. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/lock/contention-model.h"
#include "tools/lock/fields-view.h"

struct contention_view {
	enum lock_by by;
	bool owners;
	struct lock_columns columns;
	uint64_t entries;      /* the maximum number of rows; 0: all */
	const char *separator; /* the separator of CSV; NULL: text */
	bool quiet;            /* no headings, no trailer */
	bool stacks;           /* print the stack of each row below it */
	bool trailer;          /* print it even without failures */
	/* counted in the kernel, which has other kinds of failures */
	bool counted;
	const struct lock_names *names; /* names for the stacks */
};

/*
 * Prints the @n @rows with headings. The trailer is printed if it is requested or if there were
 * failures.
 */
void contention_print(FILE *out, const struct contention_view *v, const struct lock_row *rows,
		      size_t n, const struct lock_failures *failures);
