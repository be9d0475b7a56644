/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reports of several recordings, each held against the first, the baseline, row by row.
 *
 * Rows of two recordings are the same if their keys read the same. Functions are known by name
 * alone: they lie elsewhere in the next build. So those of one name are one row, and so is all code
 * without a name that the other keys do not tell apart. A model: what is in which recording, how
 * much it is there, what the comparison comes to, and the order of rows.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/report-group.h"

enum diff_compute {
	DIFF_DELTA_ABS, /* its share less that of the baseline; sorted by the size of that */
	DIFF_DELTA,     /* the same, sorted by what it is */
	DIFF_RATIO,     /* its period by that of the baseline */
	DIFF_WDIFF,     /* its period less that of the baseline, each times a weight */
};

struct diff_options {
	enum diff_compute compute;
	int64_t weight_base, weight_other; /* of DIFF_WDIFF */
	size_t order;       /* the side whose cells rows are sorted by; 0: the baseline's share */
	bool baseline_only; /* rows that the baseline has together with another side */
	bool absolute;      /* shares are of all samples, not of those that filters leave */
};

/* A row in one of the recordings. */
struct diff_cell {
	bool is_there;
	bool is_known; /* there is a value: without a baseline there is no ratio and no wdiff */
	uint64_t period;
	double value; /* what the comparison with the baseline comes to; shares are in percent. Not
			 known: what it would be if the baseline did not count */
};

struct diff_row {
	struct report_entry entry; /* of the first side that has it; without members */
	struct diff_cell *cells;   /* by side */
};

struct diff {
	const struct diff_options *options;
	const struct report_rows **sides; /* the baseline first; NULL: the event is not there */
	uint64_t *totals;                 /* by side: what shares are of */
	size_t n_sides;
	uint64_t shown_total;  /* what the baseline's shares that are shown are of: with
				  baseline_only that of the rows which remain */
	struct diff_row *rows; /* sorted */
	size_t n;
	/* private: */
	struct diff_cell *cells;
};

/*
 * Compares the rows of @sides, of which the first is not NULL. They were made with the same keys,
 * their key_envs share frames and values, and they have their places (in_groups) unless images are
 * among the keys. Everything is borrowed.
 */
struct diff *diff_new(const struct diff_options *o, const struct report_rows *const *sides,
		      size_t n);
void diff_free(struct diff *d);
DEFINE_FREEP(diff)

/* What a period of @side is of all, in percent. */
double diff_share(const struct diff *d, size_t side, uint64_t period);

/* What is shown of the baseline's share of @row: see shown_total. */
double diff_shown_share(const struct diff *d, const struct diff_row *row);

/* Rows that only the baseline has, and those that only others have. */
struct diff_apart {
	double before, after; /* their share of the recording that has most of them, in percent */
	const struct image *old_image, *new_image; /* of the heaviest of them, or NULL */
};

/* @side_of says by recording which side it is of, 0 being the baseline; NULL: the first one is it.
 */
struct diff_apart diff_find_apart(const struct diff *d, const size_t *side_of);

/* The difference that DIFF_WDIFF is of. */
int64_t diff_weighted(const struct diff_options *o, uint64_t base, uint64_t other);
