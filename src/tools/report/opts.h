/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf report`, for the files that do its work.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/colour.h"
#include "options/calltree.h"
#include "options/input.h"
#include "options/table.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "profile/annotate.h"
#include "profile/profile.h"
#include "profile/report-tables.h"
#include "view/annotate/annotate.h"
#include "view/report/report-view.h"

struct report_opts {
	/*
	 * Most options are members of the requests that are made of them. What follows from several
	 * options is added by report_profile_request(), report_tables_wanted() and
	 * report_tree_wanted().
	 */
	struct profile_request profile;
	struct report_tables_request tables;
	struct report_form form;
	struct input_opts input;
	struct calltree_opts calltree;
	struct verbosity_opts verbosity;
	bool stdio, tui;
	bool json;
	const char *html;       /* a file; "": the default name; NULL: no page */
	const char *flamegraph; /* likewise for a flame graph */
	enum colour_when colour;

	const char *sort_order; /* the sort order of the configuration */
	char *sort_text;        /* owns the result of adding @sort_order to --sort; or NULL */
	bool full_names;        /* also on a terminal */
	enum percentage percentage;

	bool thread_counts, tasks, mmaps, stats;
	const char *pretty;
	bool disable_order;
	enum choice skip_empty;

	enum choice branch_stack;
	bool branch_history;
	bool latency;
	enum choice explain; /* explain the words of --mem-mode */

	/* For functions in the browser. */
	struct annotate_request annotate; /* only the look of code */
	struct annotate_view code;
};
