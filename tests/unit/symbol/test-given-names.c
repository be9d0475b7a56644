/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "symbol/given-names.h"
#include "symbol/symbolizer.h"

static const struct build_id none = { .size = 0 };
static const struct build_id some = { .bytes = { 1, 2 }, .size = 2 };

static void images_are_told_apart_by_build_id(void **state)
{
	_cleanup_(given_names_freep) struct given_names *g = given_names_new();

	(void)state;
	given_image_add(given_names_image(g, "x", &none), GIVEN_NAMES, GIVEN_NAMES + 4, "f", false);
	given_image_add(given_names_image(g, "x", &some), GIVEN_NAMES, GIVEN_NAMES + 4, "g", true);
	assert_ptr_equal(given_names_image(g, "x", &some), given_names_image(g, "x", &some));
	assert_string_equal(
		symbol_table_find(given_names_find(g, "x", &none, NULL), GIVEN_NAMES)->name, "f");
	assert_true(
		symbol_table_find(given_names_find(g, "x", &some, NULL), GIVEN_NAMES)->is_inlined);
	assert_null(given_names_find(g, "y", &none, NULL));
}

static void images_of_a_symbolizer_have_them(void **state)
{
	static const struct symbolizer_options options = { .symfs = "/nowhere" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&options);
	struct given_names *g = given_names_new();
	const struct image_key key = { .kind = IMAGE_USER, .name = "/bin/x" };
	struct image *im;

	(void)state;
	given_image_add(given_names_image(g, "/bin/x", &none), GIVEN_NAMES, GIVEN_NAMES + 4,
			"_ZN1a1bEv", false);
	symbolizer_take_names(s, g);
	symbolizer_take_names(s, given_names_new()); /* the same recording again */
	im = symbolizer_image(s, &key);
	assert_non_null(image_symbol_find(im, GIVEN_NAMES + 3));
	assert_null(image_symbol_find(im, GIVEN_NAMES + 4));
	assert_null(image_symbol_find(im, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_are_told_apart_by_build_id),
		cmocka_unit_test(images_of_a_symbolizer_have_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
