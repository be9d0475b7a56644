/* SPDX-License-Identifier: MIT */
#include "profile/made-keys.h"

#include "profile/key-types.h"

static void texts_stand_in_their_order(void **state)
{
	struct made_keys m;
	uint64_t a, b;

	(void)state;
	made_keys_init(&m, false);
	a = shared_values_add_text(m.env.values, "a");
	b = shared_values_add_text(m.env.values, "b");
	assert_true(key_compare_texts(NULL, &m.env, a, b) < 0);
	assert_int_equal(key_compare_texts(NULL, &m.env, a, a), 0);
	key_print_text(NULL, &m.env, &(struct key_cell){ .value = b }, &m.text);
	assert_string_equal(m.text.chars, "b");
	made_keys_done(&m);
}

static void addresses_of_the_kernel_come_first(void **state)
{
	(void)state;
	assert_true(key_address_order(0xffff800000000000, 0x1000) < 0);
	assert_true(key_address_order(0x1000, 0x2000) < 0);
	assert_true(key_order(0xffff800000000000, 0x1000) > 0);
	assert_true(key_compare_down(NULL, NULL, 5, 4) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_stand_in_their_order),
		cmocka_unit_test(addresses_of_the_kernel_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
