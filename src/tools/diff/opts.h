/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of `perf diff`, and the function that shows what they request. */
#include <stdbool.h>

#include "options/table.h"
#include "options/verbosity.h"
#include "tools/diff/request-work.h"

struct diff_opts {
	struct diff_request rq;
	bool dump_raw;
	bool cycles_hist;
	bool periods, formulas;
	const char *separator;
	bool full_names; /* also on a terminal */
	enum percentage percentage;
	bool json;
	struct verbosity_opts verbosity;
};

struct diag;
struct diff_job;
struct invocation;

/*
 * Prints the comparison of the recordings that were read. Returns the exit status, or a negative
 * errno with @diag.
 */
int diff_show(const struct invocation *inv, const struct diff_job *j, struct diag *diag);
