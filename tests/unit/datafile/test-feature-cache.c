/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void caches_survive(void **state)
{
	(void)state;
	struct cache_desc l1 = { 1, 64, 256, 4, "Data", "64K", "0" };
	struct features f = { .caches = { .version = 1, .list = { &l1, 1, 0 } } }, g = { 0 };

	feature_round_trip(&f, FEATURE_CACHE, &g);
	assert_string_equal(g.caches.list.items[0].size, "64K");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_CACHE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_survive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
