/* SPDX-License-Identifier: MIT */
#include "tui/looks.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/config.h"

/* The names are those of perf-config's manual page, and those of terminals. */
static const struct {
	const char *name;
	int number;
} colours[] = {
	{ "default", COLOUR_TERMINAL },
	{ "black", 0 },
	{ "red", 1 },
	{ "green", 2 },
	{ "brown", 3 },
	{ "yellow", 3 },
	{ "blue", 4 },
	{ "magenta", 5 },
	{ "cyan", 6 },
	{ "lightgray", 7 },
	{ "lightgrey", 7 },
	{ "gray", 8 },
	{ "grey", 8 },
	{ "brightred", 9 },
	{ "brightgreen", 10 },
	{ "brightyellow", 11 },
	{ "brightblue", 12 },
	{ "brightmagenta", 13 },
	{ "brightcyan", 14 },
	{ "white", 15 },
};

static const struct {
	const char *key;
	enum style style;
} variables[] = {
	{ "colors.top", STYLE_TOP },          { "colors.medium", STYLE_MEDIUM },
	{ "colors.normal", STYLE_NORMAL },    { "colors.selected", STYLE_SELECTED },
	{ "colors.jump_arrows", STYLE_JUMP }, { "colors.addr", STYLE_ADDRESS },
	{ "colors.root", STYLE_ROOT },
};

#define TERMINAL COLOUR_TERMINAL
#define COLOURS(front_, back_)                                                                     \
	{                                                                                          \
		.foreground = (front_), .background = (back_)                                      \
	}

static const struct looks usual = {
	.coloured = {
		[STYLE_NORMAL] = COLOURS(TERMINAL, TERMINAL),
		[STYLE_TOP] = COLOURS(1, TERMINAL),
		[STYLE_MEDIUM] = COLOURS(2, TERMINAL),
		[STYLE_SELECTED] = COLOURS(0, 7),
		[STYLE_JUMP] = COLOURS(4, TERMINAL),
		[STYLE_ADDRESS] = COLOURS(5, TERMINAL),
		[STYLE_ROOT] = COLOURS(15, 4),
		[STYLE_DIM] = COLOURS(8, TERMINAL),
		[STYLE_MATCH] = COLOURS(0, 3),
		[STYLE_STATUS] = COLOURS(15, 4),
		[STYLE_FRAME] = COLOURS(TERMINAL, TERMINAL),
		[STYLE_CHOSEN] = COLOURS(0, 6),
		/*
		 * The order is: all, tasks, user, kernel, JIT, inlined, unknown, waits, wakers,
		 * Python, Java, JavaScript, Ruby, PHP.
		 */
		[STYLE_FLAME] = COLOURS(0, 7),
		[STYLE_FLAME + 1] = COLOURS(0, 7),
		[STYLE_FLAME + 2] = COLOURS(0, 3),
		[STYLE_FLAME + 3] = COLOURS(15, 1),
		[STYLE_FLAME + 4] = COLOURS(0, 2),
		[STYLE_FLAME + 5] = COLOURS(0, 6),
		[STYLE_FLAME + 6] = COLOURS(15, 8),
		[STYLE_FLAME + 7] = COLOURS(15, 4),
		[STYLE_FLAME + 8] = COLOURS(15, 5),
		[STYLE_FLAME + 9] = COLOURS(0, 14),
		[STYLE_FLAME + 10] = COLOURS(0, 9),
		[STYLE_FLAME + 11] = COLOURS(0, 11),
		[STYLE_FLAME + 12] = COLOURS(0, 13),
		[STYLE_FLAME + 13] = COLOURS(0, 12),
	},
	.plain = {
		[STYLE_TOP] = { .bold = true },
		[STYLE_SELECTED] = { .reverse = true },
		[STYLE_ROOT] = { .bold = true },
		[STYLE_MATCH] = { .underline = true, .bold = true },
		[STYLE_STATUS] = { .reverse = true },
		[STYLE_CHOSEN] = { .reverse = true, .bold = true },
		[STYLE_FLAME] = { .underline = true },
		[STYLE_FLAME + 1] = { .underline = true },
		[STYLE_FLAME + 2] = { .underline = true },
		[STYLE_FLAME + 3] = { .underline = true, .bold = true },
		[STYLE_FLAME + 4] = { .underline = true },
		[STYLE_FLAME + 5] = { .underline = true },
		[STYLE_FLAME + 6] = { .underline = true },
		[STYLE_FLAME + 7] = { .underline = true },
		[STYLE_FLAME + 8] = { .underline = true },
		[STYLE_FLAME + 9] = { .underline = true },
		[STYLE_FLAME + 10] = { .underline = true },
		[STYLE_FLAME + 11] = { .underline = true },
		[STYLE_FLAME + 12] = { .underline = true },
		[STYLE_FLAME + 13] = { .underline = true },
	},
};

/*
 * Returns the nearest of the six levels of red, green and blue in the colour cube that begins at
 * 16.
 */
static int cube_level(unsigned value)
{
	return value < 48 ? 0 : value < 115 ? 1 : (int)(value - 35) / 40;
}

static int parse_rgb(const char *hex, int *ret)
{
	char *end;
	unsigned long rgb = strtoul(hex, &end, 16);

	if (strlen(hex) != 6 || *end || !isxdigit((unsigned char)*hex))
		return -EINVAL;
	*ret = 16 + 36 * cube_level(rgb >> 16) + 6 * cube_level(rgb >> 8 & 0xff) +
	       cube_level(rgb & 0xff);
	return 0;
}

int looks_colour(const char *name, int *ret)
{
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(colours); i++)
		if (!strcasecmp(colours[i].name, name)) {
			*ret = colours[i].number;
			return 0;
		}
	if (*name == '#')
		return parse_rgb(name + 1, ret);
	if (number_parse(name, &number) < 0 || number > 255)
		return -EINVAL;
	*ret = (int)number;
	return 0;
}

static char *looks_trimmed(const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return xstrndup(s, n);
}

/* Parses "red, default". Without a comma only the foreground changes. */
static int parse_look(const char *value, struct style_look *look)
{
	const char *comma = strchr(value, ',');
	_cleanup_(freep) char *front = looks_trimmed(value, comma ? (size_t)(comma - value)
								  : strlen(value));
	_cleanup_(freep) char *back = comma ? looks_trimmed(comma + 1, strlen(comma + 1)) : NULL;
	int r = looks_colour(front, &look->foreground);

	return r < 0 || !back ? r : looks_colour(back, &look->background);
}

int looks_init(struct looks *ret, const struct config *config, struct diag *diag)
{
	struct looks p = usual;

	for (size_t i = 0; config && i < ARRAY_SIZE(variables); i++) {
		const char *value = config_get(config, variables[i].key);

		if (value && parse_look(value, &p.coloured[variables[i].style]) < 0)
			return config_refuse(
				config, variables[i].key,
				"Write two colours: 'red, default'. There are black, red, "
				"green, yellow, blue, magenta, cyan, lightgray, gray, "
				"white, default, bright ones (brightred), numbers up to "
				"255, and #rrggbb.",
				diag);
	}
	*ret = p;
	return 0;
}
