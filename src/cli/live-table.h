/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A table that is shown repeatedly: on a terminal in place of the previous one (cli/redraw.h),
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
	uint64_t before_ns; /* time of the last table; 0: there was none */
	FILE *page;         /* the table, while it is being made; with in_place */
	char *chars;
	size_t length;
};

/* Tables go to @out. @has_command: a command runs that may write to the same terminal. */
void live_table_open(struct live_table *t, struct invocation *inv, FILE *out, bool has_command);

/*
 * Returns the stream for the next table. Its first line gives its time: "At 2.000 seconds:", after
 * an empty line.
 */
FILE *live_table_begin(struct live_table *t, uint64_t time_ns);

/* Does the same without that line. */
FILE *live_table_page(struct live_table *t);

/*
 * True if a table at @time_ns would cover only the rest at the end, less than half an interval. In
 * place, the last full table is of more use, and stays. To be called before each table.
 */
bool live_table_is_rest(struct live_table *t, uint64_t time_ns, uint64_t interval_ms);

/* Shows the completed table; in place without an empty line at its beginning. */
void live_table_end(struct live_table *t);

/* Ends the tables. With @keeps the last one stays on the terminal. */
void live_table_close(struct live_table *t, bool keeps);

/* Returns the maximum width and height of a table on a terminal; elsewhere UINT_MAX. */
struct redraw_size live_table_size(const struct live_table *t);
