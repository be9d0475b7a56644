/* SPDX-License-Identifier: MIT */
#pragma once
/* Counts the same events for several commands, run in turn, and compares them. */
#include <stddef.h>

#include "measure/count.h"
#include "profile/threshold.h"

struct compare;
struct compare_row;

struct count_comparison {
	struct count_job job;
	char *const *commands; /* commands for the shell */
	size_t n;
	struct compare *compare;
	struct compare_row *time, *user, *system;
	struct {
		/* the row of each table row, then those of its metrics */
		struct compare_row **items;
		size_t n, room;
	} rows;
	struct thresholds limits;
	struct threshold_results results; /* the results of the limits */
};

/*
 * Initializes @c. The command of the request and the layout of its tables are not used; the rest
 * applies to each of @n @commands. Everything is borrowed. @c must be released with
 * count_comparison_done() in any case.
 */
void count_comparison_init(struct count_comparison *c, const struct count_request *rq,
			   char *const *commands, size_t n, struct notes *notes, struct diag *diag);
void count_comparison_done(struct count_comparison *c);

/* Adds a limit (profile/threshold.h). Returns -EINVAL with the diag set if it is malformed. */
int count_comparison_limit(struct count_comparison *c, const char *condition);

/* Determines what to count. Errors are those of count_job_prepare(). */
int count_comparison_prepare(struct count_comparison *c);

/*
 * Runs everything, ten times unless the request has a number, and compares. @compare is then
 * finished, and @results are known. It is also an error if a command fails or if a limit names no
 * row.
 */
int count_comparison_run(struct count_comparison *c);
