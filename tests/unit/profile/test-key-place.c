/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

#include "profile/key-types.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "f" };
static const struct symbol g = { .start = 0x80, .end = 0x90, .name = "g" };

static void images_of_the_same_name_are_one(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a, b, c;
	uint64_t va, vb, vc, none;

	(void)state;
	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "dso");
	a = example_map(&m, "/x/prog", 0x10000);
	b = example_map(&m, "/y/prog", 0x20000);
	c = example_map(&m, "/y/other", 0x30000);
	va = key_image_of(&m.env, example_frame(&m, &a, NULL, 1));
	vb = key_image_of(&m.env, example_frame(&m, &b, NULL, 1));
	vc = key_image_of(&m.env, example_frame(&m, &c, NULL, 1));
	none = key_image_of(&m.env, example_frame(&m, NULL, NULL, 1));
	assert_int_equal(va, vb);
	assert_above(&m, k, vc, va);
	assert_above(&m, k, va, none);
	assert_string_equal(example_text(&m, k, va, 1), "prog");
	assert_string_equal(example_text(&m, k, none, 1), "");
	example_keys_done(&m);
}

static void verbose_names_images_by_path(void **state)
{
	struct example_keys m;
	struct map a;
	uint64_t v;

	(void)state;
	example_keys_init(&m, false);
	m.env.verbose = 1;
	a = example_map(&m, "/x/prog", 0x10000);
	v = key_image_of(&m.env, example_frame(&m, &a, NULL, 1));
	assert_string_equal(example_text(&m, example_key(&m, REPORT_NORMAL, "dso"), v, 1),
			    "/x/prog");
	example_keys_done(&m);
}

static void functions_stand_above_addresses(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	uint64_t vf, vg, bare;

	(void)state;
	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "sym");
	a = example_map(&m, "/x/prog", 0x10000);
	vf = key_symbol_of(&m.env, example_frame(&m, &a, &f, 0x104));
	vg = key_symbol_of(&m.env, example_frame(&m, &a, &g, 0x84));
	bare = key_symbol_of(&m.env, example_frame(&m, &a, NULL, 0x20));
	assert_above(&m, k, vf, vg);
	assert_above(&m, k, vg, bare);
	assert_string_equal(example_text(&m, k, vf, 1), "f:user");
	assert_string_equal(example_text(&m, k, bare, 1), "0x20:user");
	assert_true(k->type->identity(k, &m.env, vg, vf) < 0);
	example_keys_done(&m);
}

static void what_prints_alike_is_one_row(void **state)
{
	struct example_keys m;
	struct map a, b;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	b = example_map(&m, "/y/lib", 0x20000);
	assert_int_equal(key_symbol_of(&m.env, example_frame(&m, &a, &f, 0x100)),
			 key_symbol_of(&m.env, example_frame(&m, &a, &f, 0x108)));
	assert_int_not_equal(key_symbol_of(&m.env, example_frame(&m, &a, &f, 0x100)),
			     key_symbol_of(&m.env, example_frame(&m, &b, &f, 0x100)));
	assert_int_equal(key_symbol_of(&m.env, example_frame(&m, &a, NULL, 0x20)),
			 key_symbol_of(&m.env, example_frame(&m, &b, NULL, 0x20)));
	example_keys_done(&m);
}

static void an_inlined_function_is_one_row_and_marked(void **state)
{
	static const struct symbol inlined = { .name = "f", .is_inlined = true };
	struct example_keys m;
	const struct key *k;
	struct map a;
	uint64_t real, inner;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	k = example_key(&m, REPORT_NORMAL, "symbol");
	real = key_symbol_of(&m.env, example_frame(&m, &a, &f, 0x100));
	inner = key_symbol_of(&m.env, example_frame(&m, &a, &inlined, 0x84));
	assert_int_equal(key_symbol_of(&m.env, example_frame(&m, &a, &inlined, 0x108)), inner);
	assert_int_not_equal(inner, real);
	assert_true(k->type->compare(k, &m.env, real, inner) < 0);
	assert_string_equal(example_text(&m, k, inner, 1), "f:user:yes");
	example_keys_done(&m);
}

/*
 * Inlined functions have no places of their own, but their order must not depend on the order of
 * arrival.
 */
static void inlined_functions_are_told_apart_by_name(void **state)
{
	static const struct symbol one = { .name = "a", .is_inlined = true };
	static const struct symbol other = { .name = "b", .is_inlined = true };
	struct example_keys m;
	const struct key *k;
	struct map a;
	uint64_t vone, vother;

	(void)state;
	example_keys_init(&m, false);
	a = example_map(&m, "/x/prog", 0x10000);
	k = example_key(&m, REPORT_NORMAL, "symbol");
	vother = key_symbol_of(&m.env, example_frame(&m, &a, &other, 0x84));
	vone = key_symbol_of(&m.env, example_frame(&m, &a, &one, 0x108));
	assert_true(k->type->identity(k, &m.env, vone, vother) < 0);
	assert_true(k->type->identity(k, &m.env, vother, vone) > 0);
	example_keys_done(&m);
}

static void a_place_that_is_none_is_address_0(void **state)
{
	struct example_keys m;
	const struct key *k;

	(void)state;
	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "sym");
	assert_string_equal(example_text(&m, k, FRAME_NONE, 1), "0:user");
	example_keys_done(&m);
}

/* Nothing was loaded. */
static void verbose_tells_address_and_where_names_come_from(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;

	(void)state;
	example_keys_init(&m, false);
	m.env.verbose = 1;
	k = example_key(&m, REPORT_NORMAL, "sym");
	a = example_map(&m, "/x/prog", 0x10000);
	assert_string_equal(example_text(&m, k, example_frame(&m, &a, &f, 0x104), 1),
			    "f:user:0x104:!");
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_of_the_same_name_are_one),
		cmocka_unit_test(verbose_names_images_by_path),
		cmocka_unit_test(functions_stand_above_addresses),
		cmocka_unit_test(what_prints_alike_is_one_row),
		cmocka_unit_test(an_inlined_function_is_one_row_and_marked),
		cmocka_unit_test(inlined_functions_are_told_apart_by_name),
		cmocka_unit_test(a_place_that_is_none_is_address_0),
		cmocka_unit_test(verbose_tells_address_and_where_names_come_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
