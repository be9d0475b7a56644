/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "wire/topology.h"

static struct topology topology_of(const unsigned *cpus, size_t n)
{
	struct topology t = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct cpu_place *p = ARRAY_ADD(&t);

		p->cpu = cpus[i];
		p->core = (int)cpus[i] / 2;
	}
	return t;
}

static void a_cpu_is_found_by_its_number_not_its_index(void **state)
{
	(void)state;
	const unsigned cpus[] = { 0, 2, 5, 8191 };
	_cleanup_(topology_done) struct topology t = topology_of(cpus, ARRAY_SIZE(cpus));

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		const struct cpu_place *p = topology_find(&t, cpus[i]);

		assert_non_null(p);
		assert_int_equal(p->cpu, cpus[i]);
		assert_int_equal(p->core, cpus[i] / 2);
	}
}

static void a_cpu_that_is_offline_has_no_place(void **state)
{
	(void)state;
	const unsigned cpus[] = { 0, 2 };
	_cleanup_(topology_done) struct topology t = topology_of(cpus, ARRAY_SIZE(cpus));

	assert_null(topology_find(&t, 1));
	assert_null(topology_find(&t, 3));
}

static void nothing_is_found_in_an_empty_topology(void **state)
{
	(void)state;
	struct topology t = { 0 };

	assert_null(topology_find(&t, 0));
	topology_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_is_found_by_its_number_not_its_index),
		cmocka_unit_test(a_cpu_that_is_offline_has_no_place),
		cmocka_unit_test(nothing_is_found_in_an_empty_topology),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
