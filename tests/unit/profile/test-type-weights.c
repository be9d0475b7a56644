/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/annotation.h"
#include "profile/type-weights.h"

static void samples_between_offsets_are_added_up(void **state)
{
	struct weight weights[] = { { .samples = 1, .period = 10 },
				    { .samples = 2, .period = 20 },
				    { .samples = 4, .period = 40 } };
	struct type_offset items[] = {
		{ .offset = 0, .weights = &weights[0] },
		{ .offset = 8, .weights = &weights[1] },
		{ .offset = 12, .weights = &weights[2] },
	};
	struct weighed_type t = { .items = items, .n = 3 };

	(void)state;
	assert_int_equal(weighed_type_between(&t, 0, 0, 16).period, 70);
	assert_int_equal(weighed_type_between(&t, 0, 8, 12).samples, 2);
	assert_int_equal(weighed_type_between(&t, 0, 1, 8).samples, 0);
}

static void instructions_without_a_type_have_none(void **state)
{
	_cleanup_(access_types_freep) struct access_types *types = access_types_new();
	const struct weight weights[] = { { .samples = 1, .period = 10 }, { .samples = 0 } };
	const uint64_t addr = 0x10;
	struct annotated_function f = { .n = 1, .addrs = &addr, .weights = weights };
	struct annotated_functions all = { .items = &f, .n = 1, .n_events = 2 };
	struct type_weights t = { 0 };

	(void)state;
	type_weights_make(&t, &all, types);
	assert_int_equal(t.n, 0);
	assert_int_equal(t.n_events, 2);
	type_weights_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_between_offsets_are_added_up),
		cmocka_unit_test(instructions_without_a_type_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
