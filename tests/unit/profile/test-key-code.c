/* SPDX-License-Identifier: MIT */
#include "profile/made-keys.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "f" };

static void addresses_are_those_at_run_time(void **state)
{
	struct made_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s;

	(void)state;
	made_keys_init(&m, true);
	a = made_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .frame = made_frame(&m, &a, &f, 0x104) };
	k = made_key(&m, REPORT_NORMAL, "addr");
	assert_true(k->type->flags & KEY_BY_ADDRESS);
	assert_string_equal(made_text(&m, k, made_value(&m, k, &s), 1), "0x10104");
	assert_above(&m, k, UINT64_MAX, 1);
	made_keys_done(&m);
}

static void sizes_are_of_functions_and_maps(void **state)
{
	struct made_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, bare, nowhere;

	(void)state;
	made_keys_init(&m, false);
	a = made_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .frame = made_frame(&m, &a, &f, 0x104) };
	bare = (struct key_sample){ .frame = made_frame(&m, &a, NULL, 0x104) };
	nowhere = (struct key_sample){ .frame = made_frame(&m, NULL, NULL, 0x104) };
	k = made_key(&m, REPORT_NORMAL, "symbol_size");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &s), 1), "16");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &bare), 1), "unknown");
	k = made_key(&m, REPORT_NORMAL, "dso_size");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &bare), 1), "65536");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &nowhere), 1), "unknown");
	made_keys_done(&m);
}

static void who_has_no_parent_has_another(void **state)
{
	struct made_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, other = { .parent = FRAME_NONE };

	(void)state;
	made_keys_init(&m, false);
	a = made_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .parent = made_frame(&m, &a, &f, 0x104) };
	k = made_key(&m, REPORT_NORMAL, "parent");
	assert_true(k->type->flags & KEY_WANTS_PARENT);
	assert_string_equal(made_text(&m, k, made_value(&m, k, &s), 1), "f");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &other), 1), "[other]");
	/* and stands last among equals */
	assert_true(k->type->compare(k, &m.env, made_value(&m, k, &s), made_value(&m, k, &other)) <
		    0);
	made_keys_done(&m);
}

static void lines_of_source_are_not_known(void **state)
{
	struct made_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s;

	(void)state;
	made_keys_init(&m, true);
	a = made_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .frame = made_frame(&m, &a, &f, 0x104) };
	k = made_key(&m, REPORT_NORMAL, "srcline");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &s), 1), "??:0");
	k = made_key(&m, REPORT_NORMAL, "srcfile");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &s), 1), "");
	made_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_those_at_run_time),
		cmocka_unit_test(sizes_are_of_functions_and_maps),
		cmocka_unit_test(who_has_no_parent_has_another),
		cmocka_unit_test(lines_of_source_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
