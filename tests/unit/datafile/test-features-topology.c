/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/features-topology.h"
#include "datafile/features.h"
#include "wire/topology.h"

static void cpus_have_the_places_that_the_file_says(void **state)
{
	(void)state;
	uint32_t cores[] = { 3, 4 }, sockets[] = { 0, 1 };
	struct numa_node nodes[] = { { .node = 5, .cpus = "0" }, { .node = 6, .cpus = "1" } };
	struct cache_desc l2 = { .level = 2, .type = "Unified", .size = "1M", .cpu_map = "0-1" };
	struct features f = { .numa_nodes = { nodes, 2, 0 } };
	struct topology t;

	f.caches.list.items = &l2;
	f.caches.list.n = 1;
	f.cpu_topology.n_cpus = 2;
	f.cpu_topology.core_id = cores;
	f.cpu_topology.socket_id = sockets;
	features_topology(&f, &t);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.items[1].core, 4);
	assert_int_equal(t.items[1].socket, 1);
	assert_int_equal(t.items[1].die, 0);
	assert_int_equal(t.items[1].node, 6);
	assert_int_equal(t.items[1].cache[2], 0);
	assert_int_equal(t.items[1].cache[1], -1);
	topology_done(&t);
}

static void a_file_without_topology_has_none(void **state)
{
	(void)state;
	struct features f = { 0 };
	struct topology t;

	features_topology(&f, &t);
	assert_int_equal(t.n, 0);
	topology_done(&t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_have_the_places_that_the_file_says),
		cmocka_unit_test(a_file_without_topology_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
