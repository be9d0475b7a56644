/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "fake-source.h"
#include "example-keys.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "f" };

static void what_is_not_known_says_so(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map a;
	struct key_sample s, nowhere;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/no/such/prog", 0x10000);
	s = (struct key_sample){ .frame = example_frame(&m, &a, &f, 0x104) };
	nowhere = (struct key_sample){ .frame = example_frame(&m, NULL, NULL, 0x104) };
	k = example_key(&m, REPORT_NORMAL, "type");
	assert_true(k->type->flags & KEY_BY_ADDRESS);
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "(unknown)");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &nowhere), 1), "(unknown)");
	k = example_key(&m, REPORT_NORMAL, "typeoff");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "(unknown)");
	k = example_key(&m, REPORT_NORMAL, "typecln");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1),
			    "(unknown): cache-line 0");
	example_keys_done(&m);
}

static void the_last_of_the_alphabet_stands_above(void **state)
{
	struct example_keys m;
	const struct key *k;

	(void)state;
	example_keys_init(&m, true);
	k = example_key(&m, REPORT_NORMAL, "type");
	assert_above(&m, k, shared_values_add_text(m.env.values, "struct b"),
		     shared_values_add_text(m.env.values, "struct a"));
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_known_says_so),
		cmocka_unit_test(the_last_of_the_alphabet_stands_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
