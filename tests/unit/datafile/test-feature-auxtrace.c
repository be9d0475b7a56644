/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void the_index_survives(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };
	__typeof__(*f.auxtrace.index.items) one = { 0x1234, 48 };

	f.auxtrace.index.items = &one;
	f.auxtrace.index.n = 1;
	feature_round_trip(&f, FEATURE_AUXTRACE, &g);
	assert_int_equal(g.auxtrace.index.items[0].file_offset, 0x1234);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_AUXTRACE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_survives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
