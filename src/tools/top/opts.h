/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of `perf top`, for the files that do its work. Private to tools/top/top*. */
#include <stdbool.h>
#include <stdint.h>

#include "options/calltree.h"
#include "options/table.h"
#include "options/value.h"
#include "profile/annotate.h"
#include "tools/top/top-work.h"
#include "view/report/tree.h"

struct invocation;
struct notes;

/* -g and --call-graph: the recording of stacks, and the way they are shown. */
struct top_stacks {
	struct callgraph_choice record;
	struct calltree_layout layout;
};

struct top_opts {
	struct top_request rq; /* top_request_of() adds what follows from several options */
	struct report_form form;
	struct top_stacks stacks;
	enum choice children;
	bool branch_history;

	bool full_names; /* also on a terminal */
	enum percentage percentage;
	uint64_t entries, min_samples;
	bool stdio, tui;
	struct annotate_request annotate; /* the look of functions */
	const char *sym_annotate;
};

/* Returns the request for the options. @buildid_dir is borrowed. */
struct top_request top_request_of(const struct top_opts *o, const char *buildid_dir);

/* Returns the measured target for titles: "all, 2 CPUs". The caller frees it. */
char *top_target_text(const struct top_opts *o);

/* Returns the look of functions for annotation. Texts are borrowed. */
struct annotate_request top_annotate_of(const struct top_opts *o, const struct top_request *rq);

/* Returns the look of call trees, without the order and colours. */
struct report_tree_options top_tree_of(const struct top_opts *o);

/* True if the output is shown in the browser. */
bool top_browses(const struct invocation *inv);

/*
 * Shows @t, which answers @rq, in the browser. Returns the signal that ended it, 0, or a negative
 * errno with @diag.
 */
int top_show_browser(struct invocation *inv, struct top *t, const struct top_request *rq,
		     struct diag *diag);

/* Shows @t as text until its end, a key or a signal. Returns the signal, or 0. */
int top_show_text(struct invocation *inv, struct top *t, const struct top_request *rq);
