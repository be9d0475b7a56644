/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A table that is shown every so often: on a terminal in place of the one before (cli/redraw.h),
 * elsewhere one after the other.
 *
 *	live_table_open(&t, inv, out, has_command);
 *	every so often:
 *		view_print(live_table_begin(&t, time_ns), model);
 *		live_table_end(&t);
 *	live_table_close(&t, true);
 *
 * The command's notes and warnings do not disturb it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/redraw.h"

struct invocation;

struct live_table {
	struct invocation *inv;
	FILE *out;
	bool in_place;
	struct redraw redraw;
	uint64_t before_ns; /* what the last table was of; 0: there was none */
	FILE *page;         /* the table, while it is made; with in_place */
	char *chars;
	size_t length;
};

/* Tables go to @out. @has_command: a command runs that may write to the same terminal. */
void live_table_open(struct live_table *t, struct invocation *inv, FILE *out, bool has_command);

/*
 * Where the next table is to be printed. Its first line tells when it is of: "At 2.000 seconds:",
 * after an empty one.
 */
FILE *live_table_begin(struct live_table *t, uint64_t time_ns);

/* The same without that line. */
FILE *live_table_page(struct live_table *t);

/*
 * Whether a table at @time_ns would be of what is left at the end: of less than half an interval.
 * In place, the last full one says more, and stays. To be asked before each table.
 */
bool live_table_is_rest(struct live_table *t, uint64_t time_ns, uint64_t interval_ms);

/* The table is complete: shows it, in place without an empty line at its begin. */
void live_table_end(struct live_table *t);

/* There are no more. With @keeps the last one stays on the terminal. */
void live_table_close(struct live_table *t, bool keeps);

/* How wide and how high a table may be on a terminal; elsewhere UINT_MAX. */
struct redraw_size live_table_size(const struct live_table *t);
