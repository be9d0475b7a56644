/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf report`: from the profile to the printed report. What its parts share; private
 * to tools/report/report*.
 */
#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "profile/report-tables.h"
#include "view/report/tree.h"

struct diag;
struct invocation;
struct report_opts;

struct report_job {
	struct invocation *inv;
	const struct report_opts *opts;
	struct diag *diag;
	struct profile profile;
};

/* Runs it: @inv's options are struct report_opts. Returns the exit status. */
int report_run(struct invocation *inv);

/* The way that call trees go. */
bool report_callers_first(const struct report_opts *o);

/* What @o ask a profile for, but for the build-id cache and the progress. */
struct profile_request report_profile_request(const struct report_opts *o);

/* And the tables that are made of it. */
struct report_tables_request report_tables_wanted(const struct report_opts *o);

/* How call trees look, but for their order and for what depends on the output. */
struct report_tree_options report_tree_wanted(const struct report_opts *o);

/* The part, of 1, below which a row has no call tree; 0: it may have one in any case. */
double report_trees_from(const struct report_opts *o);

/* Whether the run of @inv opens the browser in the terminal. */
bool report_browses(const struct invocation *inv);

/* -EINVAL with @diag if --tui is together with options that are for text. */
int report_browse_check(const struct report_opts *o, struct diag *diag);

/* Browses. Returns the exit status. */
int report_browse_run(struct invocation *inv);

/* Sums up what was collected and prints it. A negative errno if the output fails. */
int report_show(struct report_job *j);

/* Draws the picture of --flamegraph in the place of the report. Returns the exit status. */
int report_flamegraph_run(struct invocation *inv);

/* -EINVAL with @diag if --html or --flamegraph are together with options that are for text. */
int report_picture_check(const struct report_opts *o, struct diag *diag);

/* Writes the page of --html in the place of rows. A negative errno with j->diag. */
int report_show_page(struct report_job *j);

/* Tells on stderr that there is nothing to show. */
void report_warn_empty(const struct report_job *j);

/* Prints the blocks of --total-cycles in the place of rows. */
void report_show_blocks(const struct report_job *j);

/* Prints what kinds of branches there were, of all events together. */
void report_show_branch_stats(const struct report_job *j);

/*
 * What the words on accesses to memory mean, as comment lines above a table.
 */

/* Prints those of data_source_words() that @used has a flag for; nothing if there are none. */
void memory_words_print(const bool *used, FILE *out);
