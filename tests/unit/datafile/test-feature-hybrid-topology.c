/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void a_list_survives_and_a_cut_one_is_refused(void **state)
{
	(void)state;
	struct hybrid_pmu one = { .pmu_name = "cpu_core", .cpus = "0-7" };
	struct features f = { .hybrid = { &one, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_HYBRID_TOPOLOGY, &g);
	assert_string_equal(g.hybrid.items[0].pmu_name, "cpu_core");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_HYBRID_TOPOLOGY);
}

static void an_empty_list_is_a_list(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };

	feature_round_trip(&f, FEATURE_HYBRID_TOPOLOGY, &g);
	assert_int_equal(g.hybrid.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_survives_and_a_cut_one_is_refused),
		cmocka_unit_test(an_empty_list_is_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
