/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Compares sides of several recordings each, row by row: decides whether a row changed, or only
 * varies.
 *
 * The weight of a row in each recording becomes a value of base/compare.h: its share in percent,
 * or, for DIFF_RATIO, its period. Rows that a recording does not have are 0 there.
 *
 * Shares add up to 1: if one row grows, all others shrink. So a share alone shows no change of a
 * row. It counts only if it agrees with two other measures: the row's period in each recording,
 * which stays the same if only the others have grown, and its share of the unchanged rows, which
 * stays the same if a recording of fixed length had space for more. The change of the unchanged
 * rows is estimated by the median of the ratios of all larger rows (profile/rest-scale.h).
 *
 * Many rows are tested at once, so that chance alone would make some stand out: the verdicts of
 * rows are corrected for that. Those of the whole, "time" and "total", which come first, are not
 * corrected.
 */
#include <stddef.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "tools/diff/diff-model.h"

struct diff_repeats_options {
	const char *const *names; /* the names of the sides */
	size_t n_sides;
	const size_t *side_of; /* the side of each recording */
	const double *seconds; /* by recording: its duration; NULL: not known */
	const char *unit;      /* unit of periods: "ns"; "" if none */
	size_t order;          /* the side by which rows are sorted; 0: the baseline */
	bool baseline_only;    /* only rows that the baseline and another side have */
	const bool *left_out;  /* by recording: it is ignored; NULL: none is */
	bool periods_vary;     /* with load and time: recordings are not of the same work */
};

struct diff_repeat {
	const struct diff_row *row;
	const struct compare_row *figures;
	double share; /* the baseline's mean share, in percent */
};

struct diff_repeats {
	const struct diff *diff;
	struct compare *compare; /* the rows of the whole, then those of @rows in another order */
	size_t n_whole;
	struct diff_repeat *rows; /* sorted: rows with shown differences first */
	size_t n;
};

/*
 * Compares the recordings of @d, which are its sides. compare_finish() was called. The verdicts of
 * rows are not corrected yet, because limits (profile/threshold.h), which name a row in advance,
 * use uncorrected ones: diff_repeats_correct() corrects them. @d is borrowed.
 */
struct diff_repeats *diff_repeats_new(const struct diff *d, const struct diff_repeats_options *o);
void diff_repeats_free(struct diff_repeats *r);
DEFINE_FREEP(diff_repeats)

/*
 * Returns the values of all keys of @row, with blanks between them; functions go by their name. The
 * caller frees it.
 */
char *diff_row_name(const struct diff_row *row);

/* Corrects the verdicts for the number of rows, and sorts the rows. To be called once. */
void diff_repeats_correct(struct diff_repeats *r, const struct diff_repeats_options *o);
