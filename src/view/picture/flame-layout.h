/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the boxes of a flame graph lie, and which of them are large enough to be drawn.
 *
 * A box begins where its elder sibling ends, the eldest where its parent begins. Of a comparison,
 * each side has its own places.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"

struct flame_layout {
	const struct flame *f;          /* borrowed */
	uint64_t *start[N_FLAME_SIDES]; /* of each box, in units of its value */
	bool *is_drawn;                 /* of each box */
	size_t n;                       /* how many are drawn */
	uint32_t depth;                 /* the largest of those that are drawn */
	bool has_kind[N_FLAME_KINDS];   /* among those that are drawn */
};

/* Draws what has at least the @least part of all on one of the sides; 0.01 is a percent. */
void flame_layout_init(struct flame_layout *l, const struct flame *f, double least);
void flame_layout_done(struct flame_layout *l);

/* Where box @i begins and how wide it is, if all of @side is @width wide. */
double flame_layout_x(const struct flame_layout *l, size_t i, enum flame_side side, double width);
double flame_layout_width(const struct flame_layout *l, size_t i, enum flame_side side,
			  double width);

/*
 * How much the share of a box has changed, in steps: 0 is no more than chance, 1 to
 * FLAME_CHANGE_STEPS is more than before, negative ones are less. A step is three times the one
 * before; the first ends at a tenth of a percent of all.
 */
#define FLAME_CHANGE_STEPS 6
int flame_change_step(const struct flame *f, const struct flame_box *box);

/*
 * The share of all before, in percent, that nothing is left of after. It is in no box of the side
 * after. What chance explains does not count.
 */
double flame_gone_share(const struct flame *f);

/* "user", "kernel", "JIT": for legends. */
const char *flame_kind_word(enum flame_kind kind);
