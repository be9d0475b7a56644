/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/topology.h"

static void cpu_file(const char *root, unsigned cpu, const char *name, const char *text)
{
	_cleanup_(freep) char *path = xasprintf("cpu/cpu%u/%s", cpu, name);

	fake_file(root, path, text);
}

static void fake_cache(const char *root, unsigned cpu, unsigned index, const char *level,
		       const char *type, const char *cpus)
{
	_cleanup_(freep) char *level_file = xasprintf("cache/index%u/level", index);
	_cleanup_(freep) char *type_file = xasprintf("cache/index%u/type", index);
	_cleanup_(freep) char *list_file = xasprintf("cache/index%u/shared_cpu_list", index);

	cpu_file(root, cpu, level_file, level);
	cpu_file(root, cpu, type_file, type);
	cpu_file(root, cpu, list_file, cpus);
}

/* Makes a node. sysfs links cpuN/nodeM to node/nodeM. */
static void fake_node(const char *root, unsigned cpu, const char *node)
{
	_cleanup_(freep) char *directory = xasprintf("node/%s/", node);
	_cleanup_(freep) char *target = xasprintf("../../node/%s", node);
	_cleanup_(freep) char *link = xasprintf("%s/cpu/cpu%u/%s", root, cpu, node);

	fake_file(root, directory, "");
	assert_int_equal(symlink(target, link), 0);
}

static struct topology topology_of(const char *root)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct topology t = { 0 };

	assert_int_equal(topology_read(root, &t, &diag), 0);
	assert_null(diag.message);
	return t;
}

static void each_online_cpu_has_its_core_die_socket_and_node(void **state)
{
	fake_file(*state, "cpu/online", "0,5\n");
	cpu_file(*state, 5, "topology/physical_package_id", "1\n");
	cpu_file(*state, 5, "topology/die_id", "2\n");
	cpu_file(*state, 5, "topology/cluster_id", "6\n");
	cpu_file(*state, 5, "topology/core_id", "3\n");
	fake_node(*state, 5, "node4");
	cpu_file(*state, 0, "topology/core_id", "0\n");

	_cleanup_(topology_done) struct topology t = topology_of(*state);
	const struct cpu_place *p = topology_find(&t, 5);

	assert_int_equal(t.n, 2);
	assert_non_null(p);
	assert_int_equal(p->socket, 1);
	assert_int_equal(p->die, 2);
	assert_int_equal(p->cluster, 6);
	assert_int_equal(p->core, 3);
	assert_int_equal(p->node, 4);
	assert_int_equal(topology_find(&t, 0)->core, 0);
}

static void a_cache_is_named_after_the_first_cpu_that_shares_it(void **state)
{
	fake_file(*state, "cpu/online", "3\n");
	fake_cache(*state, 3, 0, "1\n", "Data\n", "3\n");
	fake_cache(*state, 3, 1, "1\n", "Instruction\n", "0-3\n");
	fake_cache(*state, 3, 2, "2\n", "Unified\n", "2-3\n");
	fake_cache(*state, 3, 3, "3\n", "Unified\n", "0-7\n");

	_cleanup_(topology_done) struct topology t = topology_of(*state);

	assert_int_equal(t.items[0].cache[1], 3);
	assert_int_equal(t.items[0].cache[2], 2);
	assert_int_equal(t.items[0].cache[3], 0);
	assert_int_equal(t.items[0].cache[4], -1);
}

static void a_cache_of_an_absurd_level_is_passed_over(void **state)
{
	fake_file(*state, "cpu/online", "0\n");
	fake_cache(*state, 0, 0, "4096\n", "Unified\n", "0\n");
	fake_cache(*state, 0, 1, "2\n", "Unified\n", "0\n");

	_cleanup_(topology_done) struct topology t = topology_of(*state);

	assert_int_equal(t.items[0].cache[2], 0);
}

/* As in virtual machines and with old kernels. */
static void what_sysfs_does_not_tell_is_unknown(void **state)
{
	fake_file(*state, "cpu/online", "0-1\n");
	cpu_file(*state, 1, "topology/physical_package_id", "-1\n");
	cpu_file(*state, 1, "topology/core_id", "many\n");

	_cleanup_(topology_done) struct topology t = topology_of(*state);

	assert_int_equal(t.n, 2);
	for (size_t i = 0; i < t.n; i++) {
		assert_int_equal(t.items[i].cpu, i);
		assert_int_equal(t.items[i].socket, -1);
		assert_int_equal(t.items[i].die, -1);
		assert_int_equal(t.items[i].core, -1);
		assert_int_equal(t.items[i].node, -1);
		assert_int_equal(t.items[i].cache[1], -1);
	}
}

static void without_a_list_of_cpus_there_is_a_sentence(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct topology t = { .n = 7 };

	assert_int_equal(topology_read(*state, &t, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "cpu/online"));
	assert_int_equal(t.n, 7);
}

static void a_list_of_cpus_that_is_none_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };

	fake_file(*state, "cpu/online", "all of them\n");
	assert_int_equal(topology_online(*state, &cpus, &diag), -EINVAL);
	assert_non_null(diag.message);
	assert_int_equal(cpus.n, 0);
}

static void this_machine_has_a_cpu_online(void **state)
{
	(void)state;
	_cleanup_(topology_done) struct topology t = topology_of(SYSTEM_DEVICES);

	assert_true(t.n >= 1);
	for (size_t i = 1; i < t.n; i++)
		assert_true(t.items[i - 1].cpu < t.items[i].cpu);
}

#define with_tree(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_tree(each_online_cpu_has_its_core_die_socket_and_node),
		with_tree(a_cache_is_named_after_the_first_cpu_that_shares_it),
		with_tree(a_cache_of_an_absurd_level_is_passed_over),
		with_tree(what_sysfs_does_not_tell_is_unknown),
		with_tree(without_a_list_of_cpus_there_is_a_sentence),
		with_tree(a_list_of_cpus_that_is_none_is_an_error),
		cmocka_unit_test(this_machine_has_a_cpu_online),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
