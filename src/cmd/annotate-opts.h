/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf annotate`, and showing what they ask for.
 */
#include <stdbool.h>

#include "cli/colour.h"
#include "job/annotate.h"
#include "view/annotate/annotate.h"

struct annotate_opts {
	struct annotate_request rq;
	bool dump_raw;
	bool quiet;

	bool stdio, stdio2, tui;
	enum colour_when colour;
	enum annotate_figure figure;
	enum annotate_base base;
	bool full_paths;

	/* Of the configuration alone. */
	struct annotate_layout layout;
};

struct diag;
struct invocation;

/* Prints the functions of all events of @j. A negative errno if that cannot be written. */
int annotate_show(const struct invocation *inv, struct annotate_job *j);

/* Whether the functions are looked at in a browser; and that, which gives the exit status. */
bool annotate_browses(const struct invocation *inv);
int annotate_browse(const struct invocation *inv, struct diag *diag);

/* Tells on stderr of samples in no function. */
void annotate_show_unnamed(const struct invocation *inv, const struct annotate_job *j);
