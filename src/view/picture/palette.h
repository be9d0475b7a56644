/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The colours of boxes, of cells and of differences.
 *
 * A palette of boxes is a short list of swatches; each has a colour for light and one for dark
 * pages. The swatch of a box is determined by its name, its file, or its kind, and by nothing else:
 * the same function has the same colour in all pictures.
 *
 * Text in the colour palette_ink() is readable on every swatch (a contrast of at least 4.5).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"

struct palette;

/*
 * Colours of pictures, described in terms of human vision and written in the form that browsers
 * need.
 *
 * A tone is a colour of OKLCH, a space in which equal steps look equal: two tones of the same
 * lightness are equally readable below the same text, whatever their hues.
 */

struct tone {
	double lightness; /* 0: black, 1: white */
	double chroma;    /* 0: grey; 0.1 is muted, 0.2 is vivid */
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

/* Returns the nearest colour that a screen can show. Chroma is reduced first. */
struct rgb rgb_of_tone(struct tone tone);

/* Returns the tone between @a (@x is 0) and @b (@x is 1), by the shorter way around the hues. */
struct tone tone_between(struct tone a, struct tone b, double x);

/* Writes "#rrggbb" to @room, which has RGB_TEXT_MAX characters. Returns @room. */
const char *rgb_text(struct rgb c, char *room);

/* Returns the contrast according to WCAG: 1 to 21; texts need 4.5. */
double rgb_contrast(struct rgb a, struct rgb b);

/* Returns the default palette: by kind, in hues that colour-blind readers can distinguish. */
const struct palette *palette_default(void);

/* Returns NULL if there is no palette with that name. */
const struct palette *palette_find(const char *name);

/* Return the name and a line about palette number @i of all; NULL after the last. */
const char *palette_name(size_t i);
const char *palette_about(size_t i);

/*
 * The number of shades in a family of swatches. Families follow each other. Names with the same
 * family differ by a shade, so that neighbours can be distinguished. Family 0 is grey.
 */
#define PALETTE_SHADES 5

/* Return the number of swatches, and the swatch of a box. */
unsigned palette_size(const struct palette *p);
unsigned palette_swatch(const struct palette *p, const char *name, const char *object,
			enum flame_kind kind);
struct rgb palette_colour(const struct palette *p, unsigned swatch, enum theme theme);

/* True if only functions of interpreted languages may have the swatch. */
bool palette_is_for_languages(const struct palette *p, unsigned swatch);

/* True if the family depends only on the kind. All palettes of this type have the same swatches. */
bool palette_is_by_kind(const struct palette *p);

/*
 * palette_tells_kinds() is true if colours distinguish the kinds, so that a legend is useful.
 * palette_kind_swatch() returns the swatch of a kind in the legend.
 */
bool palette_tells_kinds(const struct palette *p);
unsigned palette_kind_swatch(const struct palette *p, enum flame_kind kind);

/* Returns the colour of texts on swatches and on differences. */
struct rgb palette_ink(enum theme theme);

/*
 * Colours for cells of a heat map: from nothing (@x is 0, nearly the page's colour) to the maximum
 * (1). Lightness always changes in one direction, so that the order is visible without the hues.
 * The sequences have names, like palettes; a NULL name is the default.
 */
struct sequence;
const struct sequence *sequence_find(const char *name);
const char *sequence_name(size_t i);
struct rgb sequence_colour(const struct sequence *q, double x, enum theme theme);

/* Returns the colour of a difference from -1 (blue: less) over 0 (grey) to 1 (red: more). */
struct rgb difference_colour(double x, enum theme theme);
