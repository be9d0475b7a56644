/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The positions of a flame graph's boxes, and the choice of those that are large enough to be
 * drawn.
 *
 * A box begins where its elder sibling ends, the eldest where its parent begins. In a comparison,
 * each side has its own positions.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"

struct flame_layout {
	const struct flame *f;          /* borrowed */
	uint64_t *start[N_FLAME_SIDES]; /* the start of each box, in units of its value */
	bool *is_drawn;                 /* one for each box */
	size_t n;                       /* the number of drawn boxes */
	uint32_t depth;                 /* the largest depth of a drawn box */
	bool has_kind[N_FLAME_KINDS];   /* among the drawn boxes */
};

/* Returns the number of kinds that a picture tells of: languages only if there are any. */
unsigned flame_layout_kinds(const struct flame_layout *l);

/* Draws boxes with at least the @least share of all on one of the sides; 0.01 is a percent. */
void flame_layout_init(struct flame_layout *l, const struct flame *f, double least);
void flame_layout_done(struct flame_layout *l);

/* Return the beginning of box @i and its width, if all of @side is @width wide. */
double flame_layout_x(const struct flame_layout *l, size_t i, enum flame_side side, double width);
double flame_layout_width(const struct flame_layout *l, size_t i, enum flame_side side,
			  double width);

/*
 * Returns the change of a box's share, in steps: 0 may be due to chance, 1 to FLAME_CHANGE_STEPS is
 * an increase, negative steps are a decrease. A step is three times the previous one; the first
 * ends at a tenth of a percent of all.
 */
#define FLAME_CHANGE_STEPS 6
int flame_change_step(const struct flame *f, const struct flame_box *box);

/*
 * Returns the share before, in percent, of the stacks that do not occur after. It is in no box of
 * the side after. Changes that may be due to chance do not count.
 */
double flame_gone_share(const struct flame *f);

/* Returns "user", "kernel", "JIT": for legends. */
const char *flame_kind_word(enum flame_kind kind);
