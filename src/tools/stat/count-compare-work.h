/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The same counts for several commands, run in turn and set against each other.
 */
#include <stddef.h>

#include "measure/count.h"
#include "profile/threshold.h"

struct compare;
struct compare_row;

struct count_comparison {
	struct count_job job;
	char *const *commands; /* of the shell */
	size_t n;
	struct compare *compare;
	struct compare_row *time, *user, *system;
	struct {
		struct compare_row **items; /* of each row of a table, then of its metrics */
		size_t n, room;
	} rows;
	struct thresholds limits;
	struct threshold_results results; /* what became of the limits */
};

/*
 * The command of the request and the shape of its tables are not used; the rest is for each of @n
 * @commands. Everything is borrowed; to be released with count_comparison_done() in any case.
 */
void count_comparison_init(struct count_comparison *c, const struct count_request *rq,
			   char *const *commands, size_t n, struct notes *notes, struct diag *diag);
void count_comparison_done(struct count_comparison *c);

/* Adds a limit (profile/threshold.h). -EINVAL with the diag set: it makes no sense. */
int count_comparison_limit(struct count_comparison *c, const char *condition);

/* Finds out what to count; errors as count_job_prepare(). */
int count_comparison_prepare(struct count_comparison *c);

/*
 * Runs everything, ten times unless the request says how often, and compares: @compare is finished
 * then, and @results are known. Errors also where a command fails or a limit names no row.
 */
int count_comparison_run(struct count_comparison *c);
