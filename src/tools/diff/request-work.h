/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which recordings are compared, by what, and which of their samples count. Texts are borrowed.
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
	int argc; /* the sides, as diff_inputs_find() takes them */
	char *const *argv;
	bool fleet; /* the sides are NAME=URL, and hosts are what repeats: diff_inputs_fleet() */
	bool keeps_outliers; /* hosts that differ from their peers count, too */
	bool force;          /* files of other owners too */
	struct symbol_request names;
	const char *buildid_dir;   /* of the cache; NULL: there is none */
	struct progress *progress; /* or NULL */

	struct diff_method method;
	bool streams;       /* sequences of branches are compared, not rows */
	bool baseline_only; /* rows that the baseline has too */
	uint64_t order;     /* the side that rows are sorted by; 0: the baseline */
	const char *sort;   /* keys; NULL: the usual ones; "+KEYS": these too */
	bool relative;      /* shares are of what the filters leave */
	bool verbose;       /* rows tell functions with their parameters, and addresses */
	bool statistics;    /* wanted of single recordings too */
	struct thresholds limits;

	const char *comms, *dsos, *symbols; /* lists of names */
	const char *time;                   /* parts of it, between colons, are for one side each */
	struct cpu_list cpus;
	struct id_list pids, tids;
};

void diff_request_done(struct diff_request *rq);
