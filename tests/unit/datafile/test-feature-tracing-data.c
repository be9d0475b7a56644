/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void the_blob_is_carried_as_it_is(void **state)
{
	(void)state;
	struct features f = { .tracing_data = { (uint8_t *)"blob", 4, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_TRACING_DATA, &g);
	assert_int_equal(g.tracing_data.n, 4);
	features_done(&g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_blob_is_carried_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
