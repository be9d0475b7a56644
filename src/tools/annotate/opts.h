/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf annotate`, and showing what they ask for.
 */
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
	bool full_names;       /* on a terminal, too */
	const char *data_type; /* only this type; "": all; NULL: code is shown */
	bool type_stat, insn_stat, code_with_type;

	/* Of the configuration alone. */
	struct annotate_layout layout;
};

struct diag;
struct invocation;

/* Prints the functions of all events of @j. A negative errno if that cannot be written. */
int annotate_show(const struct invocation *inv, struct annotate_job *j);

/*
 * Prints the data types that are accessed, and statistics of them; -ENOENT with @diag: none is
 * called as the options say.
 */
int annotate_show_types(const struct invocation *inv, struct annotate_job *j, struct diag *diag);

/* Whether the functions are looked at in a browser; and that, which gives the exit status. */
bool annotate_browses(const struct invocation *inv);
int annotate_browse(const struct invocation *inv, struct diag *diag);

/* Tells on stderr of samples in no function. */
void annotate_show_unnamed(const struct invocation *inv, const struct annotate_job *j);
