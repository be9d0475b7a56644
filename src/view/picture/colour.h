/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Colours of pictures, described as people see them and written as browsers want them.
 *
 * A tone is a colour of OKLCH, a space in which equal steps look equal: two tones of one lightness
 * are equally readable below the same text, whatever their hues.
 */
#include <stdint.h>

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
