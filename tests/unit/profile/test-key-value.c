/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

#include "profile/key-types.h"

static void texts_stand_in_their_order(void **state)
{
	struct example_keys m;
	uint64_t a, b;

	(void)state;
	example_keys_init(&m, false);
	a = shared_values_add_text(m.env.values, "a");
	b = shared_values_add_text(m.env.values, "b");
	assert_true(key_compare_texts(NULL, &m.env, a, b) < 0);
	assert_int_equal(key_compare_texts(NULL, &m.env, a, a), 0);
	example_keys_done(&m);
}

static void addresses_of_the_kernel_come_first(void **state)
{
	(void)state;
	assert_true(key_address_order(0xffff800000000000, 0x1000) < 0);
	assert_true(key_address_order(0x1000, 0x2000) < 0);
	assert_true(key_order(0xffff800000000000, 0x1000) > 0);
	assert_true(key_compare_down(NULL, NULL, 5, 4) < 0);
}

static struct value value_of(struct example_keys *m, enum value_type type, uint64_t number)
{
	const struct key_type t = { .parts = { { .name = "x", .type = type } } };
	struct value parts[KEY_PARTS_MAX];

	key_value(&(struct key){ .type = &t, .parts = t.parts }, &m->env,
		  &(struct key_cell){ .value = number }, &m->text, parts);
	assert_int_equal(parts[1].type, VALUE_NONE);
	return parts[0];
}

static void a_number_is_the_value_unless_the_key_says_otherwise(void **state)
{
	struct example_keys m;
	uint64_t text;

	(void)state;
	example_keys_init(&m, false);
	text = shared_values_add_text(m.env.values, "a");
	assert_string_equal(value_of(&m, VALUE_TEXT, text).text, "a");
	assert_int_equal(value_of(&m, VALUE_TEXT, 0).type, VALUE_NONE);
	assert_int_equal(value_of(&m, VALUE_SIGNED, UINT32_MAX).signed_number, -1);
	assert_int_equal(value_of(&m, VALUE_ADDRESS, 7).number, 7);
	assert_true(value_of(&m, VALUE_FLAG, 8).flag);
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_stand_in_their_order),
		cmocka_unit_test(addresses_of_the_kernel_come_first),
		cmocka_unit_test(a_number_is_the_value_unless_the_key_says_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
