/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the tables of `perf kwork report` and `perf kwork latency`: a row for each work item on
 * each CPU, in the layout of Linux's perf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kwork_item;

/* The data for the lines below the rows. */
struct kwork_table_end {
	bool with_totals;     /* print the three totals */
	uint64_t count;       /* the number of runs */
	uint64_t sum_ns;      /* the sum of their times */
	uint64_t time_ns;     /* from the first event to the last */
	uint64_t records;     /* the number read; 0: nothing was read */
	uint64_t lost_events; /* and the number of records that report them */
	uint64_t lost_records;
	uint64_t skipped_raises, skipped_begins, skipped_ends; /* events without a partner */
};

/* Print run times, and waiting times. */
void kwork_runtimes_print(FILE *out, const struct kwork_item *const *rows, size_t n,
			  const struct kwork_table_end *end);
void kwork_delays_print(FILE *out, const struct kwork_item *const *rows, size_t n,
			const struct kwork_table_end *end);

/* Makes the name of the kernel's work in tables: "eth0:25", "(s)TIMER:1", "(w)vmstat_update". */

struct text;

/* The width of the name's column in the tables of Linux's perf. */
#define KWORK_NAME_WIDTH 30

/*
 * Appends the name of @item, cut or padded with blanks to @width, which is at most
 * KWORK_NAME_WIDTH.
 */
void kwork_name_add(struct text *t, const struct kwork_item *item, size_t width);
