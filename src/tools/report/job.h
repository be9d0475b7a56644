/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf report`: from the profile to the printed report. These are the definitions that
 * its parts share. Private to tools/report/report*.
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

/* Runs the report. @inv's options are struct report_opts. Returns the exit status. */
int report_run(struct invocation *inv);

/* True if call trees begin with the callers. */
bool report_callers_first(const struct report_opts *o);

/* Returns the profile request of @o, without the build-id cache and the progress. */
struct profile_request report_profile_request(const struct report_opts *o);

/* Returns the tables to make from the profile. */
struct report_tables_request report_tables_wanted(const struct report_opts *o);

/*
 * Returns the layout of call trees, without their order and without the parts that depend on the
 * output.
 */
struct report_tree_options report_tree_wanted(const struct report_opts *o);

/* Returns the share, from 0 to 1, below which a row has no call tree. 0: any row may have one. */
double report_trees_from(const struct report_opts *o);

/* True if the run of @inv opens the browser in the terminal. */
bool report_browses(const struct invocation *inv);

/* Returns -EINVAL with @diag if --tui is combined with options for text. */
int report_browse_check(const struct report_opts *o, struct diag *diag);

/* Runs the browser. Returns the exit status. */
int report_browse_run(struct invocation *inv);

/* Sums up the collected data and prints it. Returns a negative errno if the output fails. */
int report_show(struct report_job *j);

/* Draws the picture of --flamegraph in place of the report. Returns the exit status. */
int report_flamegraph_run(struct invocation *inv);

/* The forms of a report other than text. */
enum report_show_form {
	REPORT_BROWSER = 1 << 0, /* the browser in the terminal */
	REPORT_PICTURE = 1 << 1, /* --html and --flamegraph */
};

/* Returns an option in @o that is not for @form; NULL: there is none. */
const char *report_refused_by(const struct report_opts *o, enum report_show_form form);

/* Returns -EINVAL with @diag if --html or --flamegraph are combined with options for text. */
int report_picture_check(const struct report_opts *o, struct diag *diag);

/* Writes the page of --html in place of rows. Returns a negative errno with j->diag. */
int report_show_page(struct report_job *j);

/* Warns on stderr that there is nothing to show. */
void report_warn_empty(const struct report_job *j);

/* Prints the blocks of --total-cycles in place of rows. */
void report_show_blocks(const struct report_job *j);

/* Prints the kinds of branches, of all events together. */
void report_show_branch_stats(const struct report_job *j);

/* Explains the words about accesses to memory in comment lines above a table. */

/*
 * Prints the words of data_source_words() that are flagged in @used, and nothing if there are none.
 */
void memory_words_print(const bool *used, FILE *out);
