/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

#include "wire/branch.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "z" };
static const struct symbol g = { .start = 0x120, .end = 0x130, .name = "a" };

static void assert_flags(struct example_keys *m, const char *name, uint64_t flags,
			 const char *expected)
{
	struct key_sample s = { .branch_flags = flags };
	const struct key *k = example_key(m, REPORT_BRANCH, name);

	assert_string_equal(example_text(m, k, example_value(m, k, &s), 1), expected);
}

static void flags_are_yes_or_no(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_flags(&m, "mispredict", BRANCH_MISPREDICTED, "yes");
	assert_flags(&m, "mispredict", BRANCH_PREDICTED, "no");
	assert_flags(&m, "mispredict", 0, "no");
	assert_flags(&m, "in_tx", BRANCH_IN_TX, "yes");
	assert_flags(&m, "in_tx", 0, "no");
	assert_flags(&m, "abort", BRANCH_ABORT, "yes");
	assert_flags(&m, "abort", 0, "no");
	assert_flags(&m, "cycles", 17 << 4, "17");
	assert_flags(&m, "cycles", 0, "");
	example_keys_done(&m);
}

static void both_ends_stand_in_the_order_of_addresses(void **state)
{
	struct example_keys m;
	const struct key *from, *to;
	struct map a;
	struct key_sample s, t;

	(void)state;
	example_keys_init(&m, false);
	a = example_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .from = example_frame(&m, &a, &f, 0x104),
				 .to = example_frame(&m, &a, &g, 0x124) };
	t = (struct key_sample){ .from = s.to, .to = example_frame(&m, &a, NULL, 0x8) };
	from = example_key(&m, REPORT_BRANCH, "symbol_from");
	assert_above(&m, from, example_value(&m, from, &s), example_value(&m, from, &t));
	assert_string_equal(example_text(&m, from, example_value(&m, from, &s), 1), "z:user");
	to = example_key(&m, REPORT_BRANCH, "symbol_to");
	assert_above(&m, to, example_value(&m, to, &s), example_value(&m, to, &t));
	example_keys_done(&m);
}

static void images_stand_backwards(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a, b;
	struct key_sample s, t, none = { .from = FRAME_NONE };

	(void)state;
	example_keys_init(&m, false);
	a = example_map(&m, "/x/prog", 0x10000);
	b = example_map(&m, "/x/other", 0x20000);
	s = (struct key_sample){ .from = example_frame(&m, &a, &f, 0x104) };
	t = (struct key_sample){ .from = example_frame(&m, &b, &f, 0x104) };
	k = example_key(&m, REPORT_BRANCH, "dso_from");
	assert_above(&m, k, example_value(&m, k, &s), example_value(&m, k, &t));
	assert_above(&m, k, example_value(&m, k, &none), example_value(&m, k, &s));
	example_keys_done(&m);
}

static void addresses_are_functions_with_offsets(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, t;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .to = example_frame(&m, &a, &f, 0x104) };
	t = (struct key_sample){ .to = example_frame(&m, &a, &f, 0x100) };
	k = example_key(&m, REPORT_BRANCH, "addr_to");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "z:user:4");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &t), 1), "z:user");
	assert_above(&m, k, example_value(&m, k, &t), example_value(&m, k, &s));
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_are_yes_or_no),
		cmocka_unit_test(both_ends_stand_in_the_order_of_addresses),
		cmocka_unit_test(images_stand_backwards),
		cmocka_unit_test(addresses_are_functions_with_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
