/* SPDX-License-Identifier: MIT */
#include "feature-text.h"

static void the_machine_has_names(void **state)
{
	(void)state;
	struct features f = { .hostname = (char *)"host",
			      .os_release = (char *)"6.1",
			      .arch = (char *)"x86_64",
			      .cpu_desc = (char *)"A \"CPU\"",
			      .cpu_id = (char *)"GenuineIntel,6,1,2" };

	assert_feature(&f, FEATURE_HOSTNAME, "# hostname : host\n");
	assert_feature(&f, FEATURE_OSRELEASE, "# os release : 6.1\n");
	assert_feature(&f, FEATURE_ARCH, "# arch : x86_64\n");
	assert_feature(&f, FEATURE_CPUDESC, "# cpudesc : A \"CPU\"\n");
	assert_feature(&f, FEATURE_CPUID, "# cpuid : GenuineIntel,6,1,2\n");
}

static void names_cannot_act_on_the_terminal(void **state)
{
	(void)state;
	struct features f = { .hostname = (char *)"a\x1b[2J" };

	assert_feature(&f, FEATURE_HOSTNAME, "# hostname : a\\x1b[2J\n");
}

static void cpus_and_memory_are_counted(void **state)
{
	(void)state;
	struct features f = { .cpus_available = 4, .cpus_online = 3, .total_mem_kb = 12345 };

	assert_feature(&f, FEATURE_NRCPUS, "# nrcpus online : 3\n# nrcpus avail : 4\n");
	assert_feature(&f, FEATURE_TOTAL_MEM, "# total memory : 12345 kB\n");
}

static void cpus_have_places(void **state)
{
	(void)state;
	char *sockets[] = { (char *)"0-1" }, *threads[] = { (char *)"0", (char *)"1" };
	char *dies[] = { (char *)"0-1" };
	uint32_t core[] = { 0, 1 }, socket[] = { 0, 0 }, die[] = { 2, 3 };
	struct features f = { .cpu_topology = { .sockets = LIST(sockets),
						.threads = LIST(threads),
						.n_cpus = 2,
						.core_id = core,
						.socket_id = socket } };

	assert_feature(&f, FEATURE_CPU_TOPOLOGY,
		       "# sibling sockets : 0-1\n"
		       "# sibling threads : 0\n"
		       "# sibling threads : 1\n"
		       "# CPU 0: Core ID 0, Socket ID 0\n"
		       "# CPU 1: Core ID 1, Socket ID 0\n");
	f.cpu_topology.dies = (struct string_list)LIST(dies);
	f.cpu_topology.die_id = die;
	assert_feature(&f, FEATURE_CPU_TOPOLOGY,
		       "# sibling sockets : 0-1\n"
		       "# sibling dies    : 0-1\n"
		       "# sibling threads : 0\n"
		       "# sibling threads : 1\n"
		       "# CPU 0: Core ID 0, Die ID 2, Socket ID 0\n"
		       "# CPU 1: Core ID 1, Die ID 3, Socket ID 0\n");
}

static void cpus_without_places_are_said_to_have_none(void **state)
{
	(void)state;
	struct features f = { 0 };

	assert_feature(&f, FEATURE_CPU_TOPOLOGY,
		       "# Core ID and Socket ID information is not available\n");
}

static void nodes_have_memory_and_cpus(void **state)
{
	(void)state;
	struct numa_node nodes[] = { { 0, 1000, 500, (char *)"0-1" } };
	struct features f = { .numa_nodes = LIST(nodes) };

	assert_feature(&f, FEATURE_NUMA_TOPOLOGY,
		       "# node0 meminfo  : total = 1000 kB, free = 500 kB\n"
		       "# node0 cpu list : 0-1\n");
}

static void pmus_have_numbers(void **state)
{
	(void)state;
	struct pmu_mapping pmus[] = { { 4, (char *)"cpu" }, { 1, (char *)"software" } };
	struct features none = { 0 }, two = { .pmu_mappings = LIST(pmus) };

	assert_feature(&none, FEATURE_PMU_MAPPINGS, "# pmu mappings: not available\n");
	assert_feature(&two, FEATURE_PMU_MAPPINGS, "# pmu mappings: cpu = 4, software = 1\n");
}

static void caches_have_levels_and_sizes(void **state)
{
	(void)state;
	struct cache_desc caches[] = {
		{ 1, 64, 64, 8, (char *)"Data", (char *)"32K", (char *)"0,2" },
		{ 3, 64, 1, 8, (char *)"Unified", (char *)"8M", (char *)"0-3" },
	};
	struct features f = { .caches.list = LIST(caches) };

	assert_feature(&f, FEATURE_CACHE,
		       "# CPU cache info:\n"
		       "#  L1 Data                 32K [0,2]\n"
		       "#  L3 Unified               8M [0-3]\n");
}

static void memory_blocks_are_listed_as_ranges(void **state)
{
	(void)state;
	uint64_t few[] = { 0xfff5 }, many[] = { 0xff, 0, 3 };
	struct memory_node nodes[] = { { 0, 16, few }, { 3, 130, many } };
	struct features f = { .mem_topology = { 1, 0x8000000, LIST(nodes) } };

	assert_feature(&f, FEATURE_MEM_TOPOLOGY,
		       "# memory nodes (nr 2, block size 0x8000000):\n"
		       "#    0 [1792M]: 0,2,4-15\n"
		       "#    3 [1280M]: 0-7,128-129\n");
}

static void pmus_have_capabilities(void **state)
{
	(void)state;
	struct pmu_cap caps[] = { { (char *)"branches", (char *)"32" },
				  { (char *)"max_precise", (char *)"3" } };
	struct pmu_caps pmus[] = { { (char *)"cpu_core", LIST(caps) },
				   { .pmu_name = (char *)"cpu_atom" } };
	struct features none = { 0 };
	struct features f = { .cpu_pmu_caps.caps = LIST(caps), .pmu_caps = LIST(pmus) };

	assert_feature(&none, FEATURE_CPU_PMU_CAPS, "# cpu pmu capabilities: not available\n");
	assert_feature(&none, FEATURE_PMU_CAPS, "");
	assert_feature(&f, FEATURE_CPU_PMU_CAPS,
		       "# cpu pmu capabilities: branches=32, max_precise=3\n");
	assert_feature(&f, FEATURE_PMU_CAPS,
		       "# cpu_core pmu capabilities: branches=32, max_precise=3\n"
		       "# cpu_atom pmu capabilities: not available\n");
}

static void kinds_of_cores_have_cpus(void **state)
{
	(void)state;
	struct hybrid_pmu kinds[] = { { (char *)"cpu_core", (char *)"0-7" } };
	struct features f = { .hybrid = LIST(kinds) };

	assert_feature(&f, FEATURE_HYBRID_TOPOLOGY,
		       "# hybrid cpu system:\n# cpu_core cpu list : 0-7\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_has_names),
		cmocka_unit_test(names_cannot_act_on_the_terminal),
		cmocka_unit_test(cpus_and_memory_are_counted),
		cmocka_unit_test(cpus_have_places),
		cmocka_unit_test(cpus_without_places_are_said_to_have_none),
		cmocka_unit_test(nodes_have_memory_and_cpus),
		cmocka_unit_test(pmus_have_numbers),
		cmocka_unit_test(caches_have_levels_and_sizes),
		cmocka_unit_test(memory_blocks_are_listed_as_ranges),
		cmocka_unit_test(pmus_have_capabilities),
		cmocka_unit_test(kinds_of_cores_have_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
