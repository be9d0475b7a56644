/* SPDX-License-Identifier: MIT */
#include "view/picture/colour.h"

#include <math.h>
#include <stdbool.h>

struct linear {
	double red, green, blue; /* light, from 0 to 1 */
};

/* Björn Ottosson's OKLab: https://bottosson.github.io/posts/oklab */
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

/* sRGB's curve. */
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
