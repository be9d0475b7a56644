/* SPDX-License-Identifier: MIT */
#include "view/picture/page-colours.h"

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "view/json.h"
#include "view/picture/palette.h"

/*
 * The numbers of colours. The script uses the nearest one, so there are as many as the eye can
 * distinguish.
 */
#define HEAT_STEPS       64
#define DIFFERENCE_STEPS 33 /* odd: the one in the middle is no difference */

/*
 * The part of a heat map's colours that a dark page uses. The last ones are nearly white, and a CPU
 * that is always busy would glare.
 */
#define DARK_MOST 0.85

static void picture_page_colours_add_colour(struct text *run, struct rgb c)
{
	char room[RGB_TEXT_MAX];

	text_add(run, rgb_text(c, room) + 1);
}

static void add_swatches(struct json *j, const char *key, const char *palette, enum theme theme)
{
	_cleanup_(text_done) struct text run = TEXT_EMPTY;
	const struct palette *p = palette_find(palette);

	for (unsigned i = 0; i < palette_size(p); i++)
		picture_page_colours_add_colour(&run, palette_colour(p, i, theme));
	json_member(j, key, run.chars);
}

static void picture_page_colours_add_heat(struct json *j, enum theme theme)
{
	_cleanup_(text_done) struct text run = TEXT_EMPTY;
	double most = theme == THEME_DARK ? DARK_MOST : 1;

	for (unsigned i = 0; i < HEAT_STEPS; i++)
		picture_page_colours_add_colour(
			&run,
			sequence_colour(sequence_find(NULL), most * i / (HEAT_STEPS - 1), theme));
	json_member(j, "heat", run.chars);
}

static void add_differences(struct json *j, enum theme theme)
{
	_cleanup_(text_done) struct text run = TEXT_EMPTY;

	for (unsigned i = 0; i < DIFFERENCE_STEPS; i++)
		picture_page_colours_add_colour(
			&run, difference_colour(2.0 * i / (DIFFERENCE_STEPS - 1) - 1, theme));
	json_member(j, "difference", run.chars);
}

static void add_theme(struct json *j, const char *key, enum theme theme)
{
	_cleanup_(text_done) struct text ink = TEXT_EMPTY;

	json_key(j, key);
	json_object(j);
	picture_page_colours_add_colour(&ink, palette_ink(theme));
	json_member(j, "ink", ink.chars);
	add_swatches(j, "families", "kind", theme);
	add_swatches(j, "hues", "function", theme);
	picture_page_colours_add_heat(j, theme);
	add_differences(j, theme);
	json_end(j, '}');
}

static void add_kinds(struct json *j, const struct palette *p, const char *name)
{
	json_key(j, name);
	json_array(j);
	for (unsigned k = 0; k < N_FLAME_KINDS; k++)
		json_unsigned(j, palette_kind_swatch(p, k) / PALETTE_SHADES);
	json_end(j, ']');
}

/*
 * Adds the palettes. All palettes by kind have the same swatches, and differ in the family of each
 * kind.
 */
static void add_palettes(struct json *j)
{
	json_key(j, "palettes");
	json_object(j);
	for (size_t i = 0; palette_name(i); i++) {
		const struct palette *p = palette_find(palette_name(i));

		if (palette_is_by_kind(p))
			add_kinds(j, p, palette_name(i));
	}
	json_end(j, '}');
}

void page_colours_add(struct json *j)
{
	json_key(j, "colours");
	json_object(j);
	json_member_unsigned(j, "shades", PALETTE_SHADES);
	add_palettes(j);
	add_theme(j, "light", THEME_LIGHT);
	add_theme(j, "dark", THEME_DARK);
	json_end(j, '}');
}
