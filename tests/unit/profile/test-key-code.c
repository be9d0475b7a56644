/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "fake-source.h"
#include "example-keys.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "f" };

static void addresses_are_those_at_run_time(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .frame = example_frame(&m, &a, &f, 0x104) };
	k = example_key(&m, REPORT_NORMAL, "addr");
	assert_true(k->type->flags & KEY_BY_ADDRESS);
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "0x10104");
	assert_above(&m, k, UINT64_MAX, 1);
	example_keys_done(&m);
}

static void sizes_are_of_functions_and_maps(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, bare, nowhere;

	(void)state;
	example_keys_init(&m, false);
	a = example_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .frame = example_frame(&m, &a, &f, 0x104) };
	bare = (struct key_sample){ .frame = example_frame(&m, &a, NULL, 0x104) };
	nowhere = (struct key_sample){ .frame = example_frame(&m, NULL, NULL, 0x104) };
	k = example_key(&m, REPORT_NORMAL, "symbol_size");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "16");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &bare), 1), "");
	k = example_key(&m, REPORT_NORMAL, "dso_size");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &bare), 1), "65536");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &nowhere), 1), "");
	example_keys_done(&m);
}

static void who_has_no_parent_has_another(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, other = { .parent = FRAME_NONE };

	(void)state;
	example_keys_init(&m, false);
	a = example_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .parent = example_frame(&m, &a, &f, 0x104) };
	k = example_key(&m, REPORT_NORMAL, "parent");
	assert_true(k->type->flags & KEY_WANTS_PARENT);
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "f");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &other), 1), "");
	/* and comes last among equals */
	assert_true(k->type->compare(k, &m.env, example_value(&m, k, &s),
				     example_value(&m, k, &other)) < 0);
	example_keys_done(&m);
}

static void places_without_a_line_are_known_by_what_they_are_in(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	k = example_key(&m, REPORT_NORMAL, "srcline");
	s = (struct key_sample){ .frame = example_frame(&m, &a, &f, 0x104) };
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "f+4");
	s = (struct key_sample){ .frame = example_frame(&m, &a, NULL, 0x2f0) };
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "prog[2f0]");
	s = (struct key_sample){ .frame = example_frame(&m, NULL, NULL, 0x2f0) };
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "??:0");
	k = example_key(&m, REPORT_NORMAL, "srcfile");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "");
	example_keys_done(&m);
}

static const struct symbol inlined = { .name = "inner", .is_inlined = true };
static const struct source_frame there[] = {
	{ &inlined, { "/src/a.c", 3 }, true },
	{ &f, { "/src/lib/b.c", 70 }, false },
};
static const struct fake_code code[] = { { 0x104, there, 2 }, { 0 } };

static void lines_are_those_of_the_innermost_function(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s;

	(void)state;
	fake_code = code;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .frame = example_frame(&m, &a, &f, 0x104) };
	k = example_key(&m, REPORT_NORMAL, "srcline");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "a.c:3");
	k = example_key(&m, REPORT_NORMAL, "srcfile");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "a.c");
	m.env.full_source_paths = true;
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "/src/a.c");
	example_keys_done(&m);
}

static void a_caller_has_the_line_where_it_calls(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct location loc;
	struct key_sample s;

	(void)state;
	fake_code = code;
	example_keys_init(&m, true);
	m.env.full_source_paths = true;
	a = example_map(&m, "/x/prog", 0x10000);
	loc = (struct location){ .addr = 0x10104, .map = &a, .image_addr = 0x104, .sym = &f };
	s = (struct key_sample){ .frame = frames_add_part(m.env.frames, &loc, ADDRESS_USER, &f,
							  1) };
	k = example_key(&m, REPORT_NORMAL, "srcline");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "/src/lib/b.c:70");
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_those_at_run_time),
		cmocka_unit_test(sizes_are_of_functions_and_maps),
		cmocka_unit_test(who_has_no_parent_has_another),
		cmocka_unit_test(places_without_a_line_are_known_by_what_they_are_in),
		cmocka_unit_test(lines_are_those_of_the_innermost_function),
		cmocka_unit_test(a_caller_has_the_line_where_it_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
