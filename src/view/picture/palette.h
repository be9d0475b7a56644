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
#include <stdint.h>

#include "profile/flame.h"

struct palette;

/*
 * Colours of pictures, described as people see them and written as browsers want them.
 *
 * A tone is a colour of OKLCH, a space in which equal steps look equal: two tones of one lightness
 * are equally readable below the same text, whatever their hues.
 */

struct tone {
	double lightness; /* 0: black, 1: white */
	double chroma;    /* 0: grey; 0.1 is calm, 0.2 is loud */
	double hue;       /* degrees: 30 red, 70 orange, 110 yellow, 145 green, 195 cyan, 255 blue,
			     330 pink */
};

struct rgb {
	uint8_t red, green, blue;
};

/* The reader's setting, prefers-color-scheme. */
enum theme {
	THEME_LIGHT,
	THEME_DARK,
	N_THEMES,
};

#define RGB_TEXT_MAX 8

/* The nearest colour that a screen can show; chroma gives way first. */
struct rgb rgb_of_tone(struct tone tone);

/* The tone between @a (@x is 0) and @b (@x is 1), by the shorter way around the hues. */
struct tone tone_between(struct tone a, struct tone b, double x);

/* "#rrggbb" in @room, of RGB_TEXT_MAX characters; returns @room. */
const char *rgb_text(struct rgb c, char *room);

/* How well one can be read on the other, as WCAG counts it: 1 to 21; texts need 4.5. */
double rgb_contrast(struct rgb a, struct rgb b);

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
