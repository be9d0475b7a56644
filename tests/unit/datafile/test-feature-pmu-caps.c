/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static struct pmu_cap caps[] = { { "branches", "32" }, { "max_precise", "3" } };

static void capabilities_of_the_cpu_survive(void **state)
{
	(void)state;
	struct features f = { .cpu_pmu_caps.caps = { caps, 2, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_CPU_PMU_CAPS, &g);
	assert_string_equal(g.cpu_pmu_caps.caps.items[1].value, "3");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_CPU_PMU_CAPS);
}

static void the_name_of_a_pmu_follows_its_capabilities(void **state)
{
	(void)state;
	struct pmu_caps pmu = { "cpu", { caps, 2, 0 } };
	struct features f = { .pmu_caps = { &pmu, 1, 0 } }, g = { 0 };
	struct bytes b = { 0 };

	features_encode(&f, FEATURE_PMU_CAPS, &b);
	assert_string_equal((char *)b.data + b.n - 64, "cpu");
	bytes_done(&b);
	feature_round_trip(&f, FEATURE_PMU_CAPS, &g);
	assert_string_equal(g.pmu_caps.items[0].pmu_name, "cpu");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_PMU_CAPS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(capabilities_of_the_cpu_survive),
		cmocka_unit_test(the_name_of_a_pmu_follows_its_capabilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
