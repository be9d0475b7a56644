/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request: the recordings that are compared, the keys, and the filters for their samples. Texts
 * are borrowed.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "base/id-list.h"
#include "profile/threshold.h"
#include "symbol/symbol-request.h"
#include "tools/diff/method-work.h"

struct progress;

struct diff_request {
	int argc; /* the sides, in the form for diff_inputs_find() */
	char *const *argv;
	bool fleet;          /* sides are NAME=URL with hosts as repetitions: diff_inputs_fleet() */
	bool keeps_outliers; /* hosts that differ from their peers count too */
	bool force;          /* read files of other owners too */
	struct symbol_request names;
	const char *buildid_dir;   /* the cache's directory; NULL: there is no cache */
	struct progress *progress; /* or NULL */

	struct diff_method method;
	bool streams;       /* compare sequences of branches, not rows */
	bool baseline_only; /* only rows that the baseline has too */
	uint64_t order;     /* the side by which rows are sorted; 0: the baseline */
	const char *sort;   /* keys; NULL: the default; "+KEYS": the default and these */
	bool relative;      /* shares are of the samples that filters leave */
	bool verbose;       /* rows show functions with their parameters, and addresses */
	bool statistics;    /* wanted for single recordings too */
	struct thresholds limits;

	const char *comms, *dsos, *symbols; /* lists of names */
	/* its parts, separated by colons, are for one side each */
	const char *time;
	struct cpu_list cpus;
	struct id_list pids, tids;
};

void diff_request_done(struct diff_request *rq);
