/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static char *lists[] = { "0", "1" };
static uint32_t cores[] = { 3, 4 }, sockets[] = { 0, 1 }, dies[] = { 5, 6 };

static struct features machine(void)
{
	struct features f = { .cpus_available = 2 };

	f.cpu_topology.sockets = (struct string_list){ lists, 2, 0 };
	f.cpu_topology.threads = (struct string_list){ lists, 2, 0 };
	f.cpu_topology.n_cpus = 2;
	f.cpu_topology.core_id = cores;
	f.cpu_topology.socket_id = sockets;
	return f;
}

static void cores_and_sockets_survive_without_dies(void **state)
{
	(void)state;
	struct features f = machine(), g = { 0 };

	feature_round_trip(&f, FEATURE_CPU_TOPOLOGY, &g);
	assert_int_equal(g.cpu_topology.core_id[1], 4);
	assert_null(g.cpu_topology.die_id);
	features_done(&g);
}

static void dies_survive_too(void **state)
{
	(void)state;
	struct features f = machine(), g = { 0 };

	f.cpu_topology.dies = (struct string_list){ lists, 2, 0 };
	f.cpu_topology.die_id = dies;
	feature_round_trip(&f, FEATURE_CPU_TOPOLOGY, &g);
	assert_int_equal(g.cpu_topology.die_id[1], 6);
	features_done(&g);
}

static void without_the_number_of_cpus_there_are_only_lists(void **state)
{
	(void)state;
	struct features f = machine(), g = { 0 };
	struct bytes b = { 0 };

	features_encode(&f, FEATURE_CPU_TOPOLOGY, &b);
	assert_int_equal(features_decode(&g, FEATURE_CPU_TOPOLOGY, cursor_over(b.data, b.n, false)),
			 0);
	assert_int_equal(g.cpu_topology.n_cpus, 0);
	assert_int_equal(g.cpu_topology.sockets.n, 2);
	features_done(&g);
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_and_sockets_survive_without_dies),
		cmocka_unit_test(dies_survive_too),
		cmocka_unit_test(without_the_number_of_cpus_there_are_only_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
