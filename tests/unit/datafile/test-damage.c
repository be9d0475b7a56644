/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/damage.h"

static void the_same_is_said_once(void **state)
{
	(void)state;
	struct damage l = { 0 };

	damage_add(&l, "damage at 0x%x", 16);
	damage_add(&l, "damage at 0x%x", 16);
	damage_add(&l, "damage at 0x%x", 32);
	assert_int_equal(l.n, 2);
	damage_done(&l);
}

static void there_is_an_end_to_complaints(void **state)
{
	(void)state;
	struct damage l = { 0 };

	for (int i = 0; i < 1000; i++)
		damage_add(&l, "%d", i);
	assert_true(l.n < 100);
	damage_done(&l);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_is_said_once),
		cmocka_unit_test(there_is_an_end_to_complaints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
