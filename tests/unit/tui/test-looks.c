/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/config.h"
#include "tui/looks.h"

static int colour(const char *name)
{
	int c = -99;

	assert_int_equal(looks_colour(name, &c), 0);
	return c;
}

static void colours_have_names_numbers_and_parts(void **state)
{
	(void)state;
	assert_int_equal(colour("default"), COLOUR_TERMINAL);
	assert_int_equal(colour("red"), 1);
	assert_int_equal(colour("LightGray"), 7);
	assert_int_equal(colour("208"), 208);
	assert_int_equal(colour("#000000"), 16);
	assert_int_equal(colour("#ffffff"), 231);
	assert_int_equal(colour("#ff0000"), 196);
}

static void what_is_no_colour_is_refused(void **state)
{
	static const char *const wrong[] = { "",       "reddish", "256",      "-1",
					     "#12345", "#12345g", "#1234567", "# 1234" };
	int c;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(looks_colour(wrong[i], &c), -EINVAL);
}

static int make(const char *text, struct looks *p, struct diag *d)
{
	_cleanup_(config_done) struct config c = { 0 };

	assert_int_equal(config_parse(&c, text, strlen(text), "test", d), 0);
	return looks_init(p, &c, d);
}

static void users_change_styles(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct looks p;

	(void)state;
	assert_int_equal(make("[colors]\n top = blue, white\n addr = cyan\n", &p, &d), 0);
	assert_int_equal(p.coloured[STYLE_TOP].foreground, 4);
	assert_int_equal(p.coloured[STYLE_TOP].background, 15);
	assert_int_equal(p.coloured[STYLE_ADDRESS].foreground, 6);
	assert_int_equal(p.coloured[STYLE_ADDRESS].background, COLOUR_TERMINAL);
	assert_int_equal(p.coloured[STYLE_MEDIUM].foreground, 2);
}

static void a_wrong_colour_names_its_line(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct looks p;

	(void)state;
	assert_int_equal(make("[colors]\n top = blue, whitish\n", &p, &d), -EINVAL);
	assert_non_null(strstr(d.message, "colors.top"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_have_names_numbers_and_parts),
		cmocka_unit_test(what_is_no_colour_is_refused),
		cmocka_unit_test(users_change_styles),
		cmocka_unit_test(a_wrong_colour_names_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
