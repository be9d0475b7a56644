/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reports of several recordings, each compared with the first, the baseline, row by row.
 *
 * Rows of two recordings are the same if the texts of their keys are. Functions are identified by
 * name alone, because they have other addresses in the next build. So functions of one name are one
 * row, and so is all code without a name that the other keys do not distinguish. This is a model:
 * which recordings have a row, its weight in them, the result of the comparison, and the order of
 * rows.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/report-group.h"

enum diff_compute {
	DIFF_DELTA_ABS, /* its share minus that of the baseline; sorted by absolute value */
	DIFF_DELTA,     /* the same, sorted by value */
	DIFF_RATIO,     /* its period divided by that of the baseline */
	DIFF_WDIFF,     /* its period minus that of the baseline, each weighted */
};

struct diff_options {
	enum diff_compute compute;
	int64_t weight_base, weight_other; /* for DIFF_WDIFF */
	size_t order;       /* the side by which rows are sorted; 0: the baseline's share */
	bool baseline_only; /* only rows that the baseline and another side have */
	bool absolute;      /* shares are of all samples, not just of filtered ones */
};

/* A row in one of the recordings. */
struct diff_cell {
	bool is_there;
	bool is_known; /* it has a value: without a baseline there is no ratio and no wdiff */
	uint64_t period;
	/*
	 * the result of the comparison with the baseline; shares are in percent. If not known: the
	 * result if the baseline did not count
	 */
	double value;
};

struct diff_row {
	struct report_entry entry; /* from the first side that has it; without members */
	struct diff_cell *cells;   /* one for each side */
};

struct diff {
	const struct diff_options *options;
	const struct report_rows **sides; /* the baseline first; NULL: the side lacks the event */
	uint64_t *totals;                 /* by side: the total to which shares relate */
	size_t n_sides;
	/*
	 * the total to which the baseline's shown shares relate: with baseline_only that of the
	 * remaining rows
	 */
	uint64_t shown_total;
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

/* Returns the share of a period of @side in the side's total, in percent. */
double diff_share(const struct diff *d, size_t side, uint64_t period);

/* Returns the shown share of @row in the baseline: see shown_total. */
double diff_shown_share(const struct diff *d, const struct diff_row *row);

/* Rows that only the baseline has, and rows that only other sides have. */
struct diff_apart {
	double before, after; /* their share of the recording with most of them, in percent */
	const struct image *old_image, *new_image; /* images of the heaviest of them, or NULL */
};

/*
 * Finds these rows. @side_of gives the side of each recording, where 0 is the baseline; NULL: the
 * first recording is the baseline.
 */
struct diff_apart diff_find_apart(const struct diff *d, const size_t *side_of);

/* Returns the difference for DIFF_WDIFF. */
int64_t diff_weighted(const struct diff_options *o, uint64_t base, uint64_t other);
