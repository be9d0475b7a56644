/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds which of several machines that do the same work differ from the others.
 *
 * Add rows, each with its share on every machine, then call peers_find(). A machine differs if one
 * of its shares is further from those of the others than chance can explain: less than 1 of 100
 * fleets of 20 equal machines has one by chance, even if their shares vary by a third. Tests of few
 * machines have little power: of 5, only one that is very far off is found. Machines that differ do
 * not hide each other, up to a fifth of all.
 *
 * The method is B. Rosner, "Percentage points for a generalized ESD many-outlier procedure",
 * Technometrics 25 (1983), of the arcsines of the shares' roots, whose noise does not depend on the
 * share, with the limit divided by the number of rows. The uncertainty of a share that comes from
 * few samples counts as noise. Pure functions, without names.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

#define PEERS_MIN    5     /* with fewer machines, outliers cannot be found */
#define PEERS_POINTS 1.0   /* smaller differences, in points, are not reported */
#define PEERS_P      0.002 /* false positive rate if all are alike and normally distributed */

struct peer_outlier {
	size_t machine;
	size_t row;       /* the row, in order of adding, with its largest difference in points */
	double share;     /* its share there, in percent */
	double usual;     /* the median of the machines that do not differ there */
	double deviation; /* the deviation of those machines */
	size_t n_rows;    /* number of rows in which it differs */
};

struct peers {
	size_t n; /* the number of machines */
	struct peer_outlier *outliers;
	size_t n_outliers, outliers_room;
	/* private: */
	double *samples;
	struct {
		struct peer_row {
			size_t number;
			double *shares;
		} * items;
		size_t n, room;
	} rows;
};

/*
 * Makes the object. @samples: the numbers of samples of each of the @n machines, which are more
 * than 0; copied.
 */
struct peers *peers_new(const double *samples, size_t n);
void peers_free(struct peers *p);
DEFINE_FREEP(peers)

/*
 * Adds a row. @shares are in percent, by machine; copied. @number identifies the row in outliers.
 */
void peers_add_row(struct peers *p, size_t number, const double *shares);

/* Fills in the outliers, the one that differs most first. To be called once. */
void peers_find(struct peers *p);

/* True if there are so few outliers that the others are the rule. */
bool peers_are_few(const struct peers *p);
