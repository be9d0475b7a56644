/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf probe`, and its actions. Each prints its result and returns an exit status.
 */
#include <stdbool.h>

#include "options/verbosity.h"
#include "probe/probe-request.h"

struct invocation;

struct probe_opts {
	struct probe_request rq;
	struct probe_texts add, definition, del; /* -a and bare arguments, -D, -d */
	const char *list;                        /* -l[GROUP:EVENT]; "" for all; NULL: not given */
	const char *line;                        /* -L */
	const char *vars;                        /* -V */
	const char *funcs;                       /* -F[FILTER]; "" for the default filter */
	enum choice demangle;                    /* --no-demangle: the linker's names */
	bool bootconfig;
	struct verbosity_opts verbosity;
	char *joined; /* bare arguments that make one definition */
};

int probe_show_added(struct invocation *inv, const struct probe_opts *o);
int probe_show_definitions(struct invocation *inv, const struct probe_opts *o);
int probe_show_deleted(struct invocation *inv, const struct probe_opts *o);
int probe_show_list(struct invocation *inv, const struct probe_opts *o);
int probe_show_lines(struct invocation *inv, const struct probe_opts *o);
int probe_show_vars(struct invocation *inv, const struct probe_opts *o);
int probe_show_funcs(struct invocation *inv, const struct probe_opts *o);
