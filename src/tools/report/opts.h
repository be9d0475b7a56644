/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf report`, for the files that do its work.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/colour.h"
#include "options/calltree.h"
#include "options/filter.h"
#include "options/input.h"
#include "options/symbols.h"
#include "options/table.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "profile/annotate.h"
#include "profile/listing-share.h"
#include "view/annotate/annotate.h"
#include "view/report/report-view.h"

struct report_opts {
	struct input_opts input;
	struct filter_request filter;
	struct calltree_opts calltree;
	struct symbol_request symbols;
	struct verbosity_opts verbosity;
	bool stdio, tui;
	bool json;
	const char *html;       /* a file; "": the default name; NULL: no page */
	const char *flamegraph; /* likewise for a flame graph */
	enum colour_when colour;

	const char *sort, *fields;
	const char *sort_order;  /* the sort order of the configuration */
	char *sort_text;         /* owns the result of adding @sort_order to @sort; or NULL */
	struct report_form form; /* without the parts that depend on the output */
	bool full_names;         /* also on a terminal */
	bool show_nr_samples, show_total_period, show_cpu_utilization;
	bool hierarchy;
	enum choice group;
	bool wall;
	uint64_t group_sort_idx;
	enum percentage percentage;
	const char *symbol_filter;
	int64_t socket;
	bool hide_unresolved;
	const char *parent;
	bool exclude_other;

	bool thread_counts, tasks, mmaps, stats;
	const char *pretty;
	bool disable_order;
	enum choice skip_empty;
	bool raw_trace;
	uint64_t time_quantum_ns;

	enum choice branch_stack;
	bool branch_history, total_cycles, mem_mode, breakdown;
	bool latency;
	const char *parallelism; /* a list of numbers */
	enum choice explain;     /* explain the words of mem_mode */
	bool show_ref_call_graph;

	bool ignore_vmlinux;

	/* For functions in the browser. */
	struct annotate_request annotate; /* only the look of code */
	enum annotate_base percent_type;
	struct annotate_layout layout;
};
