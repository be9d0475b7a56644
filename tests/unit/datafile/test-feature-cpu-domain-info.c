/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void domains_survive(void **state)
{
	(void)state;
	struct cpu_domain d = { 0, "MC", "3", "0-1" };
	struct cpu_domains cpus[] = { { 0, { &d, 1, 0 } }, { 1, { &d, 1, 0 } } };
	struct features f = { 0 }, g = { 0 };

	f.cpu_domain_info.schedstat_version = 17;
	f.cpu_domain_info.max_domains = 1;
	f.cpu_domain_info.cpus.items = cpus;
	f.cpu_domain_info.cpus.n = 2;
	feature_round_trip(&f, FEATURE_CPU_DOMAIN_INFO, &g);
	assert_string_equal(g.cpu_domain_info.cpus.items[1].domains.items[0].cpulist, "0-1");
	features_done(&g);
}

static void domains_have_no_names_before_version_17(void **state)
{
	(void)state;
	struct cpu_domain d = { 0, "", "3", "0-1" };
	struct cpu_domains cpus[] = { { 0, { &d, 1, 0 } }, { 1, { &d, 1, 0 } } };
	struct features f = { 0 }, g = { 0 };

	f.cpu_domain_info.schedstat_version = 15;
	f.cpu_domain_info.max_domains = 1;
	f.cpu_domain_info.cpus.items = cpus;
	f.cpu_domain_info.cpus.n = 2;
	feature_round_trip(&f, FEATURE_CPU_DOMAIN_INFO, &g);
	assert_string_equal(g.cpu_domain_info.cpus.items[1].domains.items[0].name, "");
	assert_string_equal(g.cpu_domain_info.cpus.items[1].domains.items[0].cpulist, "0-1");
	features_done(&g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(domains_survive),
		cmocka_unit_test(domains_have_no_names_before_version_17),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
