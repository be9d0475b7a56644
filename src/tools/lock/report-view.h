/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the table of `perf lock report`, and the lists of `perf lock info`. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/lock/contention-model.h"
#include "tools/lock/fields-view.h"

struct lock_report_view {
	struct lock_columns columns;
	uint64_t entries; /* the maximum number of rows */
	bool quiet;       /* no headings, no trailer */
	bool trailer;     /* print it even without failures */
};

/* Prints those of the @n @rows that were acquired. Long names are cut. */
void lock_report_print(FILE *out, const struct lock_report_view *v, const struct lock_row *rows,
		       size_t n, const struct lock_failures *failures);

/* Prints the @n threads @tids with their names. */
void lock_info_print_threads(FILE *out, const uint32_t *tids, size_t n,
			     const struct lock_names *names);

/* Prints the address and the name of the @n locks @rows. */
void lock_info_print_map(FILE *out, const struct lock_row *rows, size_t n);
