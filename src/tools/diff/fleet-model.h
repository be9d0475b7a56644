/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The hosts of a fleet that are compared (tools/diff/diff-model.h), which are its recordings. Finds
 * hosts that differ from the other hosts of the same side (tools/diff/peers-model.h), and hosts
 * that are in several sides.
 *
 * Hosts that differ are left out of the comparison, unless they are more than a fifth of their
 * side: then they are no exception.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "tools/diff/diff-model.h"

struct diff_fleet_options {
	const char *const *labels; /* the labels of the sides */
	size_t n_sides;
	const char *const *hosts; /* names, by recording */
	const size_t *side_of;    /* the side of each recording */
	bool keeps_outliers;      /* they are reported, but not left out */
};

/* A host that differs from the others of its side. */
struct host_outlier {
	size_t recording, side;
	const struct diff_row *row; /* the row in which it differs most */
	double share;               /* its share there, in percent */
	double usual;               /* the median of the others */
	double deviation;           /* the deviation of the others */
	size_t n_rows;              /* number of rows in which it differs */
};

struct diff_fleet {
	const struct diff_fleet_options *options;
	struct host_outlier *outliers; /* by side, the ones that differ most first */
	size_t n_outliers, outliers_room;
	size_t n_recordings;
	bool *left_out;    /* indexed by recording */
	size_t *n_hosts;   /* by side: number of hosts with samples of the event */
	size_t *n_out;     /* by side: number of these that are left out */
	const char **both; /* hosts that are in several sides, sorted by name */
	size_t n_both, both_room;
};

/* Makes the fleet of the hosts of @d; both parameters are borrowed. */
struct diff_fleet *diff_fleet_new(const struct diff *d, const struct diff_fleet_options *o);
void diff_fleet_free(struct diff_fleet *f);
DEFINE_FREEP(diff_fleet)
