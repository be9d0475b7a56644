/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Flame graphs of recordings of two sides, before and after, as one. It shows which boxes changed,
 * and where the difference is no more than noise.
 *
 * The share of a box in its recording is compared, so recordings of different length can be
 * compared. Boxes are matched by the names on the way to them, because functions have other
 * addresses in the next build.
 *
 * A share also changes if only other boxes change. So a box counts as changed only if its weight,
 * and its share relative to the unchanged boxes, differ as well.
 *
 * If both sides have several recordings, these show how much a share varies: boxes are compared
 * like the rows of `perf diff` (base/compare.h). A single recording shows only how much its number
 * of samples depends on chance. Then the shares are compared as two proportions, with a correction
 * for samples of different weight; how much the program varies from run to run remains unknown.
 * Many boxes are tested at once, so both kinds of tests are corrected for their number
 * (base/false-discovery.h).
 */
#include <stddef.h>

#include "profile/flame.h"

/* A recording of one side of a comparison. */
struct flame_part {
	enum flame_side side;
	const struct flame *weights; /* only its FLAME_AFTER weights count */
	/* The same stacks, weighed by the number of samples; NULL: @weights are that already. */
	const struct flame *samples;
};

/*
 * Returns the comparison of @n recordings. Each side is the sum of all its recordings. A side
 * without recordings, or without samples, shows no change. The parts are borrowed.
 */
struct flame *flame_compare(const struct flame_part *parts, size_t n);

/* Sets the changes of @f, whose two sides are numbers of samples of one recording each. */
void flame_compare_counts(struct flame *f);
