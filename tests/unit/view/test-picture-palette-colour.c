/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "view/picture/palette.h"

static const struct rgb black = { 0, 0, 0 }, white = { 255, 255, 255 };

static void assert_colour(struct tone tone, const char *expected)
{
	char room[RGB_TEXT_MAX];

	assert_string_equal(rgb_text(rgb_of_tone(tone), room), expected);
}

static void tones_are_those_of_oklch(void **state)
{
	(void)state;
	assert_colour((struct tone){ 0, 0, 0 }, "#000000");
	assert_colour((struct tone){ 1, 0, 0 }, "#ffffff");
	assert_colour((struct tone){ 0.62796, 0.25768, 29.234 }, "#ff0000");
	assert_colour((struct tone){ 0.45201, 0.31321, 264.052 }, "#0000ff");
}

static void what_no_screen_shows_becomes_greyer_and_not_lighter(void **state)
{
	struct rgb c = rgb_of_tone((struct tone){ 0.9, 0.4, 264 });

	(void)state;
	assert_true(c.blue > 230 && c.red > 180);
	assert_true(rgb_contrast(c, black) > 12);
}

static void the_way_between_two_hues_is_the_short_one(void **state)
{
	struct tone t = tone_between((struct tone){ 0.2, 0.1, 350 }, (struct tone){ 0.4, 0.2, 30 },
				     0.5);

	(void)state;
	assert_float_equal(t.lightness, 0.3, 1e-9);
	assert_float_equal(t.chroma, 0.15, 1e-9);
	assert_float_equal(t.hue, 370, 1e-9);
}

static void contrast_goes_from_1_to_21(void **state)
{
	(void)state;
	assert_float_equal(rgb_contrast(white, white), 1, 1e-9);
	assert_float_equal(rgb_contrast(black, white), 21, 1e-9);
	assert_float_equal(rgb_contrast(white, black), 21, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tones_are_those_of_oklch),
		cmocka_unit_test(what_no_screen_shows_becomes_greyer_and_not_lighter),
		cmocka_unit_test(the_way_between_two_hues_is_the_short_one),
		cmocka_unit_test(contrast_goes_from_1_to_21),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
