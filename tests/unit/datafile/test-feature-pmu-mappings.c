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
	struct pmu_mapping one = { .type = 8, .name = "uprobe" };
	struct features f = { .pmu_mappings = { &one, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_PMU_MAPPINGS, &g);
	assert_int_equal(g.pmu_mappings.items[0].type, 8);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_PMU_MAPPINGS);
}

static void an_empty_list_is_a_list(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };

	feature_round_trip(&f, FEATURE_PMU_MAPPINGS, &g);
	assert_int_equal(g.pmu_mappings.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_survives_and_a_cut_one_is_refused),
		cmocka_unit_test(an_empty_list_is_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
