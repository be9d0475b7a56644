/* SPDX-License-Identifier: MIT */
#include "profile/made-keys.h"

#include "wire/branch.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "z" };
static const struct symbol g = { .start = 0x120, .end = 0x130, .name = "a" };

static void assert_flags(struct made_keys *m, const char *name, uint64_t flags,
			 const char *expected)
{
	struct key_sample s = { .branch_flags = flags };
	const struct key *k = made_key(m, REPORT_BRANCH, name);

	assert_string_equal(made_text(m, k, made_value(m, k, &s), 1), expected);
}

static void flags_are_yes_or_no(void **state)
{
	struct made_keys m;

	(void)state;
	made_keys_init(&m, false);
	assert_flags(&m, "mispredict", BRANCH_MISPREDICTED, "yes");
	assert_flags(&m, "mispredict", BRANCH_PREDICTED, "no");
	assert_flags(&m, "mispredict", 0, "no");
	assert_flags(&m, "in_tx", BRANCH_IN_TX, "yes");
	assert_flags(&m, "in_tx", 0, "no");
	assert_flags(&m, "abort", BRANCH_ABORT, "yes");
	assert_flags(&m, "abort", 0, "no");
	assert_flags(&m, "cycles", 17 << 4, "17");
	assert_flags(&m, "cycles", 0, "");
	made_keys_done(&m);
}

static void both_ends_stand_in_the_order_of_addresses(void **state)
{
	struct made_keys m;
	const struct key *from, *to;
	struct map a;
	struct key_sample s, t;

	(void)state;
	made_keys_init(&m, false);
	a = made_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .from = made_frame(&m, &a, &f, 0x104),
				 .to = made_frame(&m, &a, &g, 0x124) };
	t = (struct key_sample){ .from = s.to, .to = made_frame(&m, &a, NULL, 0x8) };
	from = made_key(&m, REPORT_BRANCH, "symbol_from");
	assert_above(&m, from, made_value(&m, from, &s), made_value(&m, from, &t));
	assert_string_equal(made_text(&m, from, made_value(&m, from, &s), 1), "z:user");
	to = made_key(&m, REPORT_BRANCH, "symbol_to");
	assert_above(&m, to, made_value(&m, to, &s), made_value(&m, to, &t));
	made_keys_done(&m);
}

static void images_stand_backwards(void **state)
{
	struct made_keys m;
	const struct key *k;
	struct map a, b;
	struct key_sample s, t, none = { .from = FRAME_NONE };

	(void)state;
	made_keys_init(&m, false);
	a = made_map(&m, "/x/prog", 0x10000);
	b = made_map(&m, "/x/other", 0x20000);
	s = (struct key_sample){ .from = made_frame(&m, &a, &f, 0x104) };
	t = (struct key_sample){ .from = made_frame(&m, &b, &f, 0x104) };
	k = made_key(&m, REPORT_BRANCH, "dso_from");
	assert_above(&m, k, made_value(&m, k, &s), made_value(&m, k, &t));
	assert_above(&m, k, made_value(&m, k, &none), made_value(&m, k, &s));
	made_keys_done(&m);
}

static void addresses_are_functions_with_offsets(void **state)
{
	struct made_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, t;

	(void)state;
	made_keys_init(&m, true);
	a = made_map(&m, "/x/prog", 0x10000);
	s = (struct key_sample){ .to = made_frame(&m, &a, &f, 0x104) };
	t = (struct key_sample){ .to = made_frame(&m, &a, &f, 0x100) };
	k = made_key(&m, REPORT_BRANCH, "addr_to");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &s), 1), "z:user:4");
	assert_string_equal(made_text(&m, k, made_value(&m, k, &t), 1), "z:user");
	assert_above(&m, k, made_value(&m, k, &t), made_value(&m, k, &s));
	made_keys_done(&m);
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
