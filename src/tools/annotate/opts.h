/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of `perf annotate`, and the functions that show what the options request. */
#include <stdbool.h>

#include "cli/colour.h"
#include "options/verbosity.h"
#include "profile/annotate.h"
#include "view/annotate/annotate.h"

struct annotate_opts {
	struct annotate_request rq;
	bool dump_raw;
	struct verbosity_opts verbosity;

	bool stdio, stdio2, tui;
	enum colour_when colour;
	enum annotate_figure figure;
	enum annotate_base base;
	bool full_paths;
	bool full_names;       /* also on a terminal */
	const char *data_type; /* only this type; "": all; NULL: show code */
	bool type_stat, insn_stat, code_with_type;

	/* Set by the configuration alone. */
	struct annotate_layout layout;
};

struct diag;
struct invocation;

/*
 * Prints the functions of all events of @j. Returns a negative errno if the output cannot be
 * written.
 */
int annotate_show(const struct invocation *inv, struct annotate_job *j);

/*
 * Prints the accessed data types, and statistics on them; -ENOENT with @diag: no type has the name
 * in the options.
 */
int annotate_show_types(const struct invocation *inv, struct annotate_job *j, struct diag *diag);

/*
 * annotate_browses() is true if the functions are shown in a browser; annotate_browse() runs it and
 * returns the exit status.
 */
bool annotate_browses(const struct invocation *inv);
int annotate_browse(const struct invocation *inv, struct diag *diag);

/* Reports on stderr the samples that are in no function. */
void annotate_show_unnamed(const struct invocation *inv, const struct annotate_job *j);
