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

#define CPU "sys/devices/system/cpu/"

static void fake_cpu(const char *root, unsigned cpu, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "cpu%u/%s", cpu, name);
	fake_file(root, path, text);
}

/* Makes three CPUs, of which 0 and 2 are online: two cores of one socket. */
static void make_cpus(const char *root)
{
	fake_file(root, CPU "online", "0,2\n");
	fake_file(root, CPU "present", "0-2\n");
	for (unsigned cpu = 0; cpu <= 2; cpu += 2) {
		fake_cpu(root, cpu, "topology/package_cpus_list", "0,2\n");
		fake_cpu(root, cpu, "topology/core_cpus_list", cpu ? "2\n" : "0\n");
		fake_cpu(root, cpu, "topology/core_id", cpu ? "8\n" : "4\n");
		fake_cpu(root, cpu, "topology/physical_package_id", "0\n");
	}
}

static void sockets_and_threads_are_listed_once(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	make_cpus(*state);
	host_facts_cpus(*state, &f);
	assert_int_equal(f.cpus_online, 2);
	assert_int_equal(f.cpus_available, 3);
	assert_int_equal(f.cpu_topology.sockets.n, 1);
	assert_string_equal(f.cpu_topology.sockets.items[0], "0,2");
	assert_int_equal(f.cpu_topology.threads.n, 2);
	assert_string_equal(f.cpu_topology.threads.items[1], "2");
	assert_int_equal(f.cpu_topology.n_cpus, 3);
	assert_int_equal(f.cpu_topology.core_id[0], 4);
	assert_int_equal(f.cpu_topology.core_id[1], UINT32_MAX);
	assert_int_equal(f.cpu_topology.core_id[2], 8);
	assert_int_equal(f.cpu_topology.socket_id[2], 0);
	assert_null(f.cpu_topology.die_id);
	assert_true(features_have(&f, FEATURE_CPU_TOPOLOGY));
	assert_true(features_have(&f, FEATURE_NRCPUS));
	assert_false(features_have(&f, FEATURE_CACHE));
}

static void dies_are_told_where_there_are_any(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	make_cpus(*state);
	fake_cpu(*state, 0, "topology/die_cpus_list", "0,2\n");
	fake_cpu(*state, 0, "topology/die_id", "1\n");
	host_facts_cpus(*state, &f);
	assert_int_equal(f.cpu_topology.dies.n, 1);
	assert_int_equal(f.cpu_topology.die_id[0], 1);
	assert_int_equal(f.cpu_topology.die_id[2], UINT32_MAX);
}

static void older_kernels_have_other_names(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, CPU "online", "0\n");
	fake_cpu(*state, 0, "topology/core_siblings_list", "0\n");
	fake_cpu(*state, 0, "topology/thread_siblings_list", "0\n");
	host_facts_cpus(*state, &f);
	assert_int_equal(f.cpus_available, 1);
	assert_int_equal(f.cpu_topology.sockets.n, 1);
	assert_int_equal(f.cpu_topology.threads.n, 1);
}

static void fake_cache(const char *root, unsigned cpu, unsigned index, const char *level,
		       const char *type, const char *cpus)
{
	static const struct {
		const char *name, *text;
	} rest[] = {
		{ "coherency_line_size", "64\n" },
		{ "number_of_sets", "256\n" },
		{ "ways_of_associativity", "4\n" },
		{ "size", "64K\n" },
	};
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		snprintf(path, sizeof(path), "cache/index%u/%s", index, rest[i].name);
		fake_cpu(root, cpu, path, rest[i].text);
	}
	snprintf(path, sizeof(path), "cache/index%u/level", index);
	fake_cpu(root, cpu, path, level);
	snprintf(path, sizeof(path), "cache/index%u/type", index);
	fake_cpu(root, cpu, path, type);
	snprintf(path, sizeof(path), "cache/index%u/shared_cpu_list", index);
	fake_cpu(root, cpu, path, cpus);
}

static void a_cache_is_told_of_once_and_by_level(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	make_cpus(*state);
	fake_cache(*state, 0, 0, "1\n", "Data\n", "0\n");
	fake_cache(*state, 0, 1, "3\n", "Unified\n", "0,2\n");
	fake_cache(*state, 2, 0, "1\n", "Data\n", "2\n");
	fake_cache(*state, 2, 1, "3\n", "Unified\n", "0,2\n");
	host_facts_cpus(*state, &f);
	assert_int_equal(f.caches.version, 1);
	assert_int_equal(f.caches.list.n, 3);
	assert_string_equal(f.caches.list.items[0].cpu_map, "0");
	assert_string_equal(f.caches.list.items[1].cpu_map, "2");
	assert_int_equal(f.caches.list.items[2].level, 3);
	assert_int_equal(f.caches.list.items[2].line_size, 64);
	assert_int_equal(f.caches.list.items[2].sets, 256);
	assert_int_equal(f.caches.list.items[2].ways, 4);
	assert_string_equal(f.caches.list.items[2].type, "Unified");
	assert_string_equal(f.caches.list.items[2].size, "64K");
	assert_true(features_have(&f, FEATURE_CACHE));
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(sockets_and_threads_are_listed_once),
		tree_test(dies_are_told_where_there_are_any),
		tree_test(older_kernels_have_other_names),
		tree_test(a_cache_is_told_of_once_and_by_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
