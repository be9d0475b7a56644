/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which of several machines that do the same differ from the others.
 *
 * Add rows, each with its share on every machine, then peers_find(). A machine differs if one of
 * its shares is further from those of the others than chance explains: less than 1 of 100 fleets
 * of 20 like machines has one by chance, even if their shares vary by a third. Few machines have
 * little power: of 5, only one that is very far off is found. Machines that differ do
 * not hide each other, up to a fifth of all.
 *
 * B. Rosner, "Percentage points for a generalized ESD many-outlier procedure", Technometrics 25
 * (1983), of the arcsines of the shares' roots, whose noise does not depend on the share, with the
 * limit divided by the number of rows. What a share is uncertain by because few samples were taken
 * counts as noise. Pure: knows no names.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

#define PEERS_MIN    5     /* fewer machines do not tell who differs */
#define PEERS_POINTS 1.0   /* a smaller difference, in points, is of no interest */
#define PEERS_P      0.002 /* of finding any where all are alike and vary as Gauss would have it */

struct peer_outlier {
	size_t machine;
	size_t row;       /* in which it differs most, in points: as it was added */
	double share;     /* there, in percent */
	double usual;     /* the median of those that do not differ there */
	double deviation; /* of those */
	size_t n_rows;    /* in how many it differs */
};

struct peers {
	size_t n; /* machines */
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

/* @samples: how many there are of each of the @n machines, which are more than 0; copied. */
struct peers *peers_new(const double *samples, size_t n);
void peers_free(struct peers *p);
DEFINE_FREEP(peers)

/* @shares are in percent, by machine; copied. @number is what the row is called in outliers. */
void peers_add_row(struct peers *p, size_t number, const double *shares);

/* Fills in the outliers, the one that differs most first. To be called once. */
void peers_find(struct peers *p);

/* Whether there are so few of them that the others are the rule. */
bool peers_are_few(const struct peers *p);
