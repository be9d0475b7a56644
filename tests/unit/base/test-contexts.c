/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/contexts.h"

static void equal_tuples_are_one(void **state)
{
	_cleanup_(contexts_done) struct contexts c;

	(void)state;
	contexts_init(&c, 2);
	assert_int_equal(contexts_add(&c, (uint64_t[]){ 1, 2 }), 0);
	assert_int_equal(contexts_add(&c, (uint64_t[]){ 2, 1 }), 1);
	assert_int_equal(contexts_add(&c, (uint64_t[]){ 1, 2 }), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(contexts_get(&c, 1)[0], 2);
}

static void without_values_there_is_but_one(void **state)
{
	_cleanup_(contexts_done) struct contexts c;
	static const uint64_t none[1];

	(void)state;
	contexts_init(&c, 0);
	assert_int_equal(contexts_add(&c, none), 0);
	assert_int_equal(contexts_add(&c, none), 0);
	assert_int_equal(c.n, 1);
}

static void many_tuples_are_all_found_again(void **state)
{
	_cleanup_(contexts_done) struct contexts c;

	(void)state;
	contexts_init(&c, 3);
	for (unsigned round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 5000; i++)
			assert_int_equal(contexts_add(&c, (uint64_t[]){ i, i << 40, ~i }), i);
	assert_int_equal(contexts_get(&c, 4999)[2], ~4999ull);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_tuples_are_one),
		cmocka_unit_test(without_values_there_is_but_one),
		cmocka_unit_test(many_tuples_are_all_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
