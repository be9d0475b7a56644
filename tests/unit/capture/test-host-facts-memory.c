/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "capture/host-facts-internal.h"
#include "datafile/features.h"
#include "kernel/fake-tree.h"

#define NODE "sys/devices/system/node/"

static void nodes_have_memory_and_cpus(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, "proc/meminfo", "MemTotal:       2029440 kB\nMemFree: 5 kB\n");
	fake_file(*state, NODE "online", "0,2\n");
	fake_file(*state, NODE "node0/meminfo",
		  "Node 0 MemTotal:        1000 kB\nNode 0 MemFree:          400 kB\n");
	fake_file(*state, NODE "node0/cpulist", "0-3\n");
	fake_file(*state, NODE "node2/meminfo", "Node 2 MemTotal: 7 kB\n");
	fake_file(*state, NODE "node2/cpulist", "\n");
	host_facts_memory(*state, &f);
	assert_int_equal(f.total_mem_kb, 2029440);
	assert_int_equal(f.numa_nodes.n, 2);
	assert_int_equal(f.numa_nodes.items[0].mem_total_kb, 1000);
	assert_int_equal(f.numa_nodes.items[0].mem_free_kb, 400);
	assert_string_equal(f.numa_nodes.items[0].cpus, "0-3");
	assert_int_equal(f.numa_nodes.items[1].node, 2);
	assert_int_equal(f.numa_nodes.items[1].mem_free_kb, 0);
	assert_string_equal(f.numa_nodes.items[1].cpus, "");
	assert_false(features_have(&f, FEATURE_MEM_TOPOLOGY));
}

static void blocks_of_memory_are_bits(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, "sys/devices/system/memory/block_size_bytes", "8000000\n");
	fake_file(*state, NODE "online", "0\n");
	fake_file(*state, NODE "node0/memory0/", "");
	fake_file(*state, NODE "node0/memory65/", "");
	fake_file(*state, NODE "node0/memory_failure", "");
	fake_file(*state, NODE "node0/memory99999999999", "");
	host_facts_memory(*state, &f);
	assert_int_equal(f.mem_topology.version, 1);
	assert_int_equal(f.mem_topology.block_size, 0x8000000);
	assert_int_equal(f.mem_topology.nodes.n, 1);
	assert_int_equal(f.mem_topology.nodes.items[0].n_bits, 66);
	assert_int_equal(f.mem_topology.nodes.items[0].words[0], 1);
	assert_int_equal(f.mem_topology.nodes.items[0].words[1], 2);
	assert_true(features_have(&f, FEATURE_MEM_TOPOLOGY));
}

static void a_machine_without_nodes_has_only_a_total(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, "proc/meminfo", "MemTotal: 1 kB\n");
	host_facts_memory(*state, &f);
	assert_true(features_have(&f, FEATURE_TOTAL_MEM));
	assert_false(features_have(&f, FEATURE_NUMA_TOPOLOGY));
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(nodes_have_memory_and_cpus),
		tree_test(blocks_of_memory_are_bits),
		tree_test(a_machine_without_nodes_has_only_a_total),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
