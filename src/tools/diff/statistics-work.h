/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Statistics of repeated recordings: intervals, significance, limits. Limits are judged in every
 * event that has such a row.
 */
#include <stddef.h>

#include "profile/threshold.h"
#include "tools/diff/diff-model.h"
#include "tools/diff/fleet-model.h"

struct diag;
struct diff_job;
struct diff_repeats;
struct session_event;

/* The statistics of one event. */
struct diff_statistics_part {
	const struct session_event *event;
	struct diff *diff;
	struct diff_fleet *fleet; /* NULL: recordings are compared, not hosts */
	struct diff_repeats *repeats;
	struct thresholds limits; /* limits for which it has rows; borrowed */
	struct threshold_results results;
};

struct diff_statistics {
	struct diff_statistics_part *parts; /* by event of the baseline */
	size_t n;
	size_t *side_of; /* the side of each recording */
	double *seconds;
	struct diff_options options;
	const char **labels, **hosts; /* for a fleet */
	struct diff_fleet_options fleet;
};

/*
 * Makes the statistics of @j, which was read. -ENOENT with @diag: a limit names a row that no
 * recording has. diff_statistics_done() is called in any case. *@s must not move.
 */
int diff_statistics_make(struct diff_statistics *s, const struct diff_job *j, struct diag *diag);
void diff_statistics_done(struct diff_statistics *s);
