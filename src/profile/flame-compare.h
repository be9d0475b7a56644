/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Flame graphs of recordings of two sides, before and after, as one: which boxes changed, and where
 * the difference is no more than noise.
 *
 * What is compared is the share of a box of its recording, so that recordings of different length
 * can be held against each other. Boxes are matched by the names on the way to them, because
 * functions lie elsewhere in the next build.
 *
 * A share changes also where only other boxes do. So a box counts as changed only if its weight,
 * and its share of what did not change, differ as well.
 *
 * Where both sides have several recordings, they show by themselves how much a share varies: boxes
 * are compared as the rows of `perf diff` are (base/compare.h). A single recording shows only how
 * much chance is in its number of samples: then the shares are compared as two proportions, with a
 * correction for samples of different weight. How much the program varies from run to run remains
 * unknown there. Many boxes are tested at once, so both kinds of tests are corrected for their
 * number (base/false-discovery.h).
 */
#include <stddef.h>

#include "profile/flame.h"

/* A recording. */
struct flame_part {
	enum flame_side side;
	const struct flame *weights; /* its FLAME_AFTER */
	/* The same stacks, weighed by the number of samples; NULL: @weights are that. */
	const struct flame *samples;
};

/*
 * The comparison of @n recordings: of each side, the sum of all its recordings. A side without
 * recordings, or without samples, shows no change. The parts are borrowed.
 */
struct flame *flame_compare(const struct flame_part *parts, size_t n);

/* Sets the changes of @f, whose two sides are numbers of samples of one recording each. */
void flame_compare_counts(struct flame *f);
