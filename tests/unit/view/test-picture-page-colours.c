/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "view/json.h"
#include "view/picture/page-colours.h"
#include "view/picture/palette.h"

static void write_colours(struct text *t)
{
	struct json j;

	json_init_text(&j, t);
	j.on_line = true;
	j.colon = ":";
	json_object(&j);
	page_colours_add(&j);
	json_end(&j, '}');
}

/* Returns the place where the run of colours @key of @theme begins. */
static const char *run_of(const struct text *t, enum theme theme, const char *key)
{
	const char *at = strstr(t->chars, theme == THEME_DARK ? "\"dark\":" : "\"light\":");
	char member[32];

	assert_non_null(at);
	snprintf(member, sizeof(member), "\"%s\":\"", key);
	at = strstr(at, member);
	assert_non_null(at);
	return at + strlen(member);
}

static void assert_colour(const char *run, size_t i, struct rgb c)
{
	char room[RGB_TEXT_MAX];

	assert_memory_equal(run + 6 * i, rgb_text(c, room) + 1, 6);
}

static void swatches_are_those_of_the_palettes(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const struct palette *kind = palette_find("kind"), *object = palette_find("object");

	(void)state;
	write_colours(&t);
	for (unsigned theme = 0; theme < N_THEMES; theme++) {
		const char *families = run_of(&t, theme, "families");
		const char *hues = run_of(&t, theme, "hues");

		assert_colour(run_of(&t, theme, "ink"), 0, palette_ink(theme));
		for (unsigned i = 0; i < palette_size(kind); i++)
			assert_colour(families, i, palette_colour(kind, i, theme));
		assert_int_equal(families[6 * palette_size(kind)], '"');
		for (unsigned i = 0; i < palette_size(object); i++)
			assert_colour(hues, i, palette_colour(object, i, theme));
		assert_int_equal(hues[6 * palette_size(object)], '"');
	}
}

static void palettes_by_kind_say_which_family_a_kind_has(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	write_colours(&t);
	assert_non_null(strstr(t.chars, "\"shades\":5"));
	assert_non_null(
		strstr(t.chars, "\"kind\":[0, 0, 2, 8, 6, 3, 1, 9, 7, 10, 11, 12, 13, 14]"));
	assert_non_null(strstr(t.chars, "\"java\":[0, 0, 5, 4, 6, 7, 1, 8, 9, 6, 6, 6, 6, 6]"));
	assert_null(strstr(t.chars, "\"function\""));
	assert_null(strstr(t.chars, "\"object\""));
}

static void steps_go_from_end_to_end(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const struct sequence *heat = sequence_find(NULL);

	(void)state;
	write_colours(&t);
	for (unsigned theme = 0; theme < N_THEMES; theme++) {
		const char *run = run_of(&t, theme, "difference");
		size_t last = strcspn(run, "\"") / 6 - 1;

		assert_int_equal(last % 2, 0);
		assert_colour(run, 0, difference_colour(-1, theme));
		assert_colour(run, last / 2, difference_colour(0, theme));
		assert_colour(run, last, difference_colour(1, theme));
		run = run_of(&t, theme, "heat");
		last = strcspn(run, "\"") / 6 - 1;
		assert_colour(run, 0, sequence_colour(heat, 0, theme));
		assert_colour(run, last,
			      sequence_colour(heat, theme == THEME_DARK ? 0.85 : 1, theme));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(swatches_are_those_of_the_palettes),
		cmocka_unit_test(palettes_by_kind_say_which_family_a_kind_has),
		cmocka_unit_test(steps_go_from_end_to_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
