/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/id-list.h"
#include "base/memory.h"

static void a_released_list_can_be_filled_again(void **state)
{
	struct id_list l = { 0 };

	(void)state;
	*ARRAY_ADD(&l) = 7;
	id_list_done(&l);
	assert_int_equal(l.n, 0);
	*ARRAY_ADD(&l) = 8;
	assert_int_equal(l.items[0], 8);
	id_list_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_released_list_can_be_filled_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
