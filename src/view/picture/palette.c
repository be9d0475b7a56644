/* SPDX-License-Identifier: MIT */
#include "view/picture/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"

/*
 * The number of families of the palettes that spread names over all hues: each hue exists light and
 * dark.
 */
#define HUES 24

enum family {
	GREY,
	SAND,
	AMBER,
	GOLD,
	ORANGE,
	RED,
	GREEN,
	AQUA,
	BLUE,
	PURPLE,
	/* for languages, in their order */
	TEAL,
	ROSE,
	LIME,
	PINK,
	VIOLET,
	N_FAMILIES,
};

/*
 * The families: the tone on a light page, and the lightness on a dark page. Shades differ from it
 * in lightness and by up to @spread degrees. Readers who cannot distinguish some hues rely on
 * lightness, so the kinds that are often neighbours differ in it.
 */
static const struct {
	struct tone tone;
	double dark_lightness;
	double spread;
} families[N_FAMILIES] = {
	[GREY] = { { 0.800, 0.010, 250 }, 0.360, 0 },
	[SAND] = { { 0.880, 0.022, 75 }, 0.435, 4 },
	[AMBER] = { { 0.815, 0.125, 72 }, 0.478, 9 },
	[GOLD] = { { 0.930, 0.095, 100 }, 0.528, 5 },
	[ORANGE] = { { 0.785, 0.125, 58 }, 0.475, 8 },
	[RED] = { { 0.745, 0.130, 30 }, 0.460, 9 },
	[GREEN] = { { 0.675, 0.120, 150 }, 0.350, 9 },
	[AQUA] = { { 0.860, 0.070, 210 }, 0.510, 8 },
	[BLUE] = { { 0.755, 0.100, 250 }, 0.430, 7 },
	[PURPLE] = { { 0.645, 0.120, 305 }, 0.360, 8 },
	[TEAL] = { { 0.711, 0.099, 209 }, 0.390, 4 },
	[ROSE] = { { 0.736, 0.065, 3 }, 0.495, 4 },
	[LIME] = { { 0.919, 0.068, 133 }, 0.404, 4 },
	[PINK] = { { 0.644, 0.140, 340 }, 0.451, 4 },
	[VIOLET] = { { 0.830, 0.131, 277 }, 0.498, 4 },
};

enum by {
	BY_KIND,
	BY_FUNCTION,
	BY_OBJECT,
};

struct palette {
	const char *name;
	const char *about;
	enum by by;
	bool tells_kinds;
	enum family of_kind[N_FLAME_KINDS]; /* by kind; GREY if a row omits it */
};

/* All languages in one family. */
#define LANGUAGES(family)                                                                          \
	[FLAME_PYTHON] = family, [FLAME_JAVA] = family, [FLAME_JAVASCRIPT] = family,               \
	[FLAME_RUBY] = family, [FLAME_PHP] = family

/* A palette in which all kinds of functions have the same family. */
#define ONE_HUE(family)                                                                            \
	{                                                                                          \
		[FLAME_USER] = family, [FLAME_KERNEL] = family, [FLAME_JIT] = family,              \
		[FLAME_INLINED] = family, [FLAME_UNKNOWN] = family, [FLAME_WAIT] = family,         \
		[FLAME_WAKER] = family, LANGUAGES(family)                                          \
	}

/* A palette in which code of run-time compilers has one hue, and the code around it has others. */
#define MIXED(jit, user)                                                                           \
	{                                                                                          \
		[FLAME_USER] = user, [FLAME_KERNEL] = ORANGE, [FLAME_JIT] = jit,                   \
		[FLAME_INLINED] = AQUA, [FLAME_UNKNOWN] = SAND, [FLAME_WAIT] = BLUE,               \
		[FLAME_WAKER] = PURPLE, LANGUAGES(jit)                                             \
	}

/* clang-format off */
static const struct palette palettes[] = {
	{ "kind", "by kind: user, kernel, languages, JIT, inlined, waiting (the default)", BY_KIND, true,
	  { [FLAME_USER] = AMBER, [FLAME_KERNEL] = BLUE, [FLAME_JIT] = GREEN,
	    [FLAME_INLINED] = GOLD, [FLAME_UNKNOWN] = SAND, [FLAME_WAIT] = PURPLE, [FLAME_WAKER] = AQUA,
	    [FLAME_PYTHON] = TEAL, [FLAME_JAVA] = ROSE, [FLAME_JAVASCRIPT] = LIME,
	    [FLAME_RUBY] = PINK, [FLAME_PHP] = VIOLET } },
	{ "function", "by the name of the function, over all hues", BY_FUNCTION, false, { 0 } },
	{ "object", "by program, library or module", BY_OBJECT, false, { 0 } },
	{ "hot", "warm colours, for CPU time", BY_KIND, false, ONE_HUE(ORANGE) },
	{ "mem", "greens, for memory", BY_KIND, false, ONE_HUE(GREEN) },
	{ "io", "blues, for input and output", BY_KIND, false, ONE_HUE(BLUE) },
	{ "java", "JIT green, inlined aqua, native red, kernel orange", BY_KIND, true,
	  MIXED(GREEN, RED) },
	{ "js", "as java, with JIT gold", BY_KIND, true, MIXED(GOLD, RED) },
	{ "wakeup", "as aqua, for wake-ups", BY_KIND, false, ONE_HUE(AQUA) },
	{ "chain", "waiting blue, who ended it aqua", BY_KIND, true,
	  { [FLAME_USER] = BLUE, [FLAME_KERNEL] = BLUE, [FLAME_JIT] = BLUE,
	    [FLAME_INLINED] = BLUE, [FLAME_UNKNOWN] = SAND, [FLAME_WAIT] = PURPLE, [FLAME_WAKER] = AQUA,
	    LANGUAGES(BLUE) } },
	{ "red", "one hue", BY_KIND, false, ONE_HUE(RED) },
	{ "orange", "one hue", BY_KIND, false, ONE_HUE(AMBER) },
	{ "yellow", "one hue", BY_KIND, false, ONE_HUE(GOLD) },
	{ "green", "one hue", BY_KIND, false, ONE_HUE(GREEN) },
	{ "aqua", "one hue", BY_KIND, false, ONE_HUE(AQUA) },
	{ "blue", "one hue", BY_KIND, false, ONE_HUE(BLUE) },
	{ "purple", "one hue", BY_KIND, false, ONE_HUE(PURPLE) },
};
/* clang-format on */

const struct palette *palette_default(void)
{
	return &palettes[0];
}

const struct palette *palette_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(palettes); i++)
		if (!strcmp(palettes[i].name, name))
			return &palettes[i];
	return NULL;
}

const char *palette_name(size_t i)
{
	return i < ARRAY_SIZE(palettes) ? palettes[i].name : NULL;
}

const char *palette_about(size_t i)
{
	return i < ARRAY_SIZE(palettes) ? palettes[i].about : NULL;
}

bool palette_is_by_kind(const struct palette *p)
{
	return p->by == BY_KIND;
}

bool palette_tells_kinds(const struct palette *p)
{
	return p->tells_kinds;
}

unsigned palette_kind_swatch(const struct palette *p, enum flame_kind kind)
{
	return p->of_kind[kind] * PALETTE_SHADES + PALETTE_SHADES / 2;
}

/*
 * Returns the hash of a name: FNV-1a of 32 bits and the end of MurmurHash3, as hashText() of the
 * page. Colours must not differ from run to run, so the hash has no secret seed; collisions are
 * useless to an attacker.
 */
static uint32_t hash_name(const char *s)
{
	uint32_t h = 0x811c9dc5;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x01000193;
	h = (h ^ h >> 16) * 0x85ebca6b;
	h = (h ^ h >> 13) * 0xc2b2ae35;
	return h ^ h >> 16;
}

bool palette_is_for_languages(const struct palette *p, unsigned swatch)
{
	return p->by == BY_KIND && swatch / PALETTE_SHADES >= TEAL;
}

/*
 * Returns the number of swatches. The first PALETTE_SHADES swatches are grey; the families, or the
 * hues, follow.
 */
unsigned palette_size(const struct palette *p)
{
	return (p->by == BY_KIND ? N_FAMILIES : 1 + HUES) * PALETTE_SHADES;
}

unsigned palette_swatch(const struct palette *p, const char *name, const char *object,
			enum flame_kind kind)
{
	unsigned shade = hash_name(name) % PALETTE_SHADES;
	bool is_spread = p->by != BY_KIND && kind != FLAME_ALL && kind != FLAME_TASK;
	unsigned hue;

	if (p->by == BY_KIND)
		return p->of_kind[kind] * PALETTE_SHADES + shade;
	if (!is_spread || (p->by == BY_OBJECT && !*object))
		return shade;
	hue = hash_name(p->by == BY_OBJECT ? object : name) / PALETTE_SHADES % HUES;
	return (1 + hue) * PALETTE_SHADES + shade;
}

static struct tone hue_tone(unsigned i, enum theme theme)
{
	double light = i % 2 ? 0.735 : 0.855, dark = i % 2 ? 0.42 : 0.51;

	return (struct tone){ theme == THEME_DARK ? dark : light, 0.095,
			      25 + (i / 2) * (720.0 / HUES) };
}

/*
 * Returns the tone of a family. Dark yellow would be brown, so on dark pages warm hues are shifted
 * towards red.
 */
static struct tone family_tone(unsigned i, enum theme theme)
{
	struct tone t = families[i].tone;

	if (theme == THEME_DARK) {
		t.lightness = families[i].dark_lightness;
		t.chroma *= 0.95;
		t.hue -= t.hue > 50 && t.hue < 115 ? 8 : 0;
	}
	return t;
}

struct rgb palette_colour(const struct palette *p, unsigned swatch, enum theme theme)
{
	unsigned family = swatch / PALETTE_SHADES;
	/* The shade, from -1 to 1. */
	double shade = (swatch % PALETTE_SHADES) * 2.0 / (PALETTE_SHADES - 1) - 1;
	bool is_hue = p->by != BY_KIND && family;
	struct tone tone = is_hue ? hue_tone(family - 1, theme) : family_tone(family, theme);

	tone.hue += shade * (is_hue ? 4 : families[family].spread);
	tone.lightness += shade * (theme == THEME_DARK ? 0.012 : 0.018);
	return rgb_of_tone(tone);
}

struct rgb palette_ink(enum theme theme)
{
	return theme == THEME_DARK ? (struct rgb){ 0xf2, 0xf3, 0xf5 }
				   : (struct rgb){ 0x17, 0x19, 0x1c };
}

#define STOPS 4

/*
 * A sequence of colours. Light pages go from the first to the last, dark pages the other way: the
 * maximum has the highest contrast.
 */
struct sequence {
	const char *name;
	struct tone stops[STOPS];
};

static const struct sequence sequences[] = {
	{ "heat",
	  { { 0.965, 0.035, 95 }, { 0.83, 0.13, 75 }, { 0.62, 0.19, 35 }, { 0.33, 0.13, 5 } } },
	{ "lake",
	  { { 0.965, 0.03, 120 }, { 0.82, 0.11, 165 }, { 0.60, 0.11, 225 }, { 0.32, 0.12, 280 } } },
	{ "red",
	  { { 0.96, 0.015, 20 }, { 0.84, 0.075, 20 }, { 0.65, 0.17, 25 }, { 0.38, 0.13, 25 } } },
	{ "blue",
	  { { 0.96, 0.015, 250 },
	    { 0.84, 0.065, 250 },
	    { 0.62, 0.14, 255 },
	    { 0.34, 0.12, 262 } } },
	{ "green",
	  { { 0.96, 0.02, 145 }, { 0.84, 0.09, 145 }, { 0.62, 0.13, 148 }, { 0.34, 0.09, 150 } } },
	{ "grey", { { 0.96, 0, 0 }, { 0.78, 0, 0 }, { 0.55, 0, 0 }, { 0.22, 0, 0 } } },
};

const struct sequence *sequence_find(const char *name)
{
	if (!name)
		return &sequences[0];
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++)
		if (!strcmp(sequences[i].name, name))
			return &sequences[i];
	return NULL;
}

const char *sequence_name(size_t i)
{
	return i < ARRAY_SIZE(sequences) ? sequences[i].name : NULL;
}

/*
 * Returns a colour. On a dark page, the dark end is near the page's colour and the light end is the
 * maximum.
 */
struct rgb sequence_colour(const struct sequence *q, double x, enum theme theme)
{
	double at = fmin(fmax(x, 0), 1), rest;
	size_t i;

	if (theme == THEME_DARK)
		at = 1 - at;
	at *= STOPS - 1;
	i = at < STOPS - 1 ? (size_t)at : STOPS - 2;
	rest = at - (double)i;
	return rgb_of_tone(tone_between(q->stops[i], q->stops[i + 1], rest));
}

struct rgb difference_colour(double x, enum theme theme)
{
	static const struct tone same = { 0.905, 0, 250 };
	static const struct tone less = { 0.675, 0.140, 250 }, more = { 0.690, 0.175, 35 };
	static const struct tone dark_same = { 0.355, 0, 250 };
	static const struct tone dark_less = { 0.490, 0.135, 255 },
				 dark_more = { 0.500, 0.160, 33 };
	bool dark = theme == THEME_DARK;
	struct tone from = dark ? dark_same : same;
	struct tone to = x < 0 ? (dark ? dark_less : less) : (dark ? dark_more : more);

	from.hue = to.hue;
	return rgb_of_tone(tone_between(from, to, fmin(fabs(x), 1)));
}

struct linear {
	double red, green, blue; /* light, from 0 to 1 */
};

/* See Björn Ottosson's OKLab: https://bottosson.github.io/posts/oklab */
static struct linear linear_of_tone(struct tone t)
{
	double angle = t.hue * M_PI / 180;
	double a = t.chroma * cos(angle), b = t.chroma * sin(angle);
	double l = pow(t.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
	double m = pow(t.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
	double s = pow(t.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);

	return (struct linear){
		.red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		.green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		.blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
	};
}

static bool can_be_shown(double light)
{
	return light >= -1e-4 && light <= 1 + 1e-4;
}

/* Encodes a linear value by sRGB's curve. */
static uint8_t picture_colour_encode(double light)
{
	double x = fmin(fmax(light, 0), 1);

	x = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
	return (uint8_t)lround(x * 255);
}

static double picture_colour_decode(uint8_t byte)
{
	double x = byte / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

struct rgb rgb_of_tone(struct tone tone)
{
	struct linear l = linear_of_tone(tone);

	while (tone.chroma > 0.001 &&
	       !(can_be_shown(l.red) && can_be_shown(l.green) && can_be_shown(l.blue))) {
		tone.chroma *= 0.96;
		l = linear_of_tone(tone);
	}
	return (struct rgb){ picture_colour_encode(l.red), picture_colour_encode(l.green),
			     picture_colour_encode(l.blue) };
}

struct tone tone_between(struct tone a, struct tone b, double x)
{
	double turn = fmod(b.hue - a.hue + 540, 360) - 180;

	return (struct tone){
		.lightness = a.lightness + (b.lightness - a.lightness) * x,
		.chroma = a.chroma + (b.chroma - a.chroma) * x,
		.hue = a.hue + turn * x,
	};
}

const char *rgb_text(struct rgb c, char *room)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t bytes[] = { c.red, c.green, c.blue };
	char *at = room;

	*at++ = '#';
	for (unsigned i = 0; i < 3; i++) {
		*at++ = digits[bytes[i] >> 4];
		*at++ = digits[bytes[i] & 15];
	}
	*at = '\0';
	return room;
}

static double picture_colour_luminance(struct rgb c)
{
	return 0.2126 * picture_colour_decode(c.red) + 0.7152 * picture_colour_decode(c.green) +
	       0.0722 * picture_colour_decode(c.blue);
}

double rgb_contrast(struct rgb a, struct rgb b)
{
	double x = picture_colour_luminance(a) + 0.05, y = picture_colour_luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}
