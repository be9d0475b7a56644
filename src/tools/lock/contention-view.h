/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of `perf lock contention`, as text or as CSV.
 */
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
	uint64_t entries;               /* at most so many rows; 0: all */
	const char *separator;          /* CSV; NULL: text */
	bool quiet;                     /* no headings, no trailer */
	bool stacks;                    /* under each row, its stack */
	bool trailer;                   /* even if nothing went wrong */
	bool counted;                   /* in the kernel: other things may go wrong */
	const struct lock_names *names; /* for the stacks */
};

/*
 * Prints the @n @rows with headings, and the trailer if it is asked for or something went wrong.
 */
void contention_print(FILE *out, const struct contention_view *v, const struct lock_row *rows,
		      size_t n, const struct lock_failures *failures);
