/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The colours of boxes, of cells and of differences.
 *
 * A palette of boxes is a short list of swatches; each has a colour for light and one for dark
 * pages. Which swatch a box has follows from its name, the file that it is from, or its kind, and
 * from nothing else: the same function has the same colour in all pictures.
 *
 * On every swatch a text of colour palette_ink() can be read (a contrast of at least 4.5).
 */
#include <stdbool.h>
#include <stddef.h>

#include "profile/flame.h"
#include "view/picture/colour.h"

struct palette;

/* The one that is taken if none is asked for: by kind, in hues that colour-blind readers tell
 * apart. */
const struct palette *palette_default(void);

/* NULL: there is none of that name. */
const struct palette *palette_find(const char *name);

/* The name and a line about palette number @i of all; NULL behind the last. */
const char *palette_name(size_t i);
const char *palette_about(size_t i);

/*
 * Swatches are families of so many shades, one family behind the other: names that share a family
 * differ by a shade, so that neighbours can be told apart. Family 0 is grey.
 */
#define PALETTE_SHADES 5

/* How many swatches there are, and which one a box has. */
unsigned palette_size(const struct palette *p);
unsigned palette_swatch(const struct palette *p, const char *name, const char *object,
			enum flame_kind kind);
struct rgb palette_colour(const struct palette *p, unsigned swatch, enum theme theme);

/* The family follows from the kind alone; all palettes that are so have the same swatches. */
bool palette_is_by_kind(const struct palette *p);

/* Colours tell the kinds apart, so a legend of them is of use; and the swatch of a kind in it. */
bool palette_tells_kinds(const struct palette *p);
unsigned palette_kind_swatch(const struct palette *p, enum flame_kind kind);

/* The colour of texts on swatches and on differences. */
struct rgb palette_ink(enum theme theme);

/*
 * Cells of a heat map: from nothing (@x is 0, nearly the page itself) to the most (1). Lightness
 * always goes one way, so that the order can be seen without the hues. The sequences have names,
 * as palettes do; a NULL name is the default.
 */
struct sequence;
const struct sequence *sequence_find(const char *name);
const char *sequence_name(size_t i);
struct rgb sequence_colour(const struct sequence *q, double x, enum theme theme);

/* A difference from -1 (blue: less) over 0 (grey) to 1 (red: more). */
struct rgb difference_colour(double x, enum theme theme);
