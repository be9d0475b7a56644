/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void all_numbers_survive(void **state)
{
	(void)state;
	static const unsigned ids[] = { FEATURE_NRCPUS,    FEATURE_TOTAL_MEM,  FEATURE_SAMPLE_TIME,
					FEATURE_CLOCKID,   FEATURE_DIR_FORMAT, FEATURE_COMPRESSED,
					FEATURE_CLOCK_DATA };
	struct features f = {
		.cpus_available = 4,
		.cpus_online = 2,
		.total_mem_kb = 1ULL << 40,
		.sample_time = { 5, 7 },
		.clockid_res_ns = 1,
		.dir_format = 1,
		.compressed = { .type = 1, .level = 3, .ratio = 5, .mmap_len = 528384 },
		.clock_data = { .version = 1, .wall_clock_ns = 10, .clockid_ns = 11 },
	};
	struct features g = { 0 };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		feature_round_trip(&f, ids[i], &g);
		feature_cut_is_refused(&f, ids[i]);
	}
	assert_int_equal(g.cpus_available, 4);
	assert_int_equal(g.cpus_online, 2);
	assert_int_equal(g.sample_time.last, 7);
	assert_int_equal(g.compressed.mmap_len, 528384);
	assert_int_equal(g.clock_data.clockid_ns, 11);
}

static void a_flag_has_no_payload(void **state)
{
	(void)state;
	struct features f = { 0 };

	assert_int_equal(features_decode(&f, FEATURE_STAT, cursor_over("", 0, false)), 0);
	assert_true(features_have(&f, FEATURE_STAT));
}

static void the_blob_of_tracing_data_is_carried_as_it_is(void **state)
{
	(void)state;
	struct features f = { .tracing_data = { (uint8_t *)"blob", 4, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_TRACING_DATA, &g);
	assert_int_equal(g.tracing_data.n, 4);
	features_done(&g);
}

static void a_command_line_is_a_list_of_words(void **state)
{
	(void)state;
	struct features f = { .cmdline = { .items = (char *[]){ "/usr/bin/perf", "record" },
					   .n = 2 } };
	struct features g = { 0 };

	feature_round_trip(&f, FEATURE_CMDLINE, &g);
	assert_int_equal(g.cmdline.n, 2);
	assert_string_equal(g.cmdline.items[1], "record");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_CMDLINE);
}

static void numa_nodes_survive_and_cut_ones_are_refused(void **state)
{
	(void)state;
	struct numa_node one = { .node = 1, .mem_total_kb = 24, .mem_free_kb = 7, .cpus = "0-1" };
	struct features f = { .numa_nodes = { &one, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_NUMA_TOPOLOGY, &g);
	assert_string_equal(g.numa_nodes.items[0].cpus, "0-1");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_NUMA_TOPOLOGY);
}

static void an_empty_list_of_numa_nodes_is_a_list(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };

	feature_round_trip(&f, FEATURE_NUMA_TOPOLOGY, &g);
	assert_int_equal(g.numa_nodes.n, 0);
}

static void pmu_mappings_survive_and_cut_ones_are_refused(void **state)
{
	(void)state;
	struct pmu_mapping one = { .type = 8, .name = "uprobe" };
	struct features f = { .pmu_mappings = { &one, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_PMU_MAPPINGS, &g);
	assert_int_equal(g.pmu_mappings.items[0].type, 8);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_PMU_MAPPINGS);
}

static void an_empty_list_of_pmu_mappings_is_a_list(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };

	feature_round_trip(&f, FEATURE_PMU_MAPPINGS, &g);
	assert_int_equal(g.pmu_mappings.n, 0);
}

static void groups_survive_and_cut_ones_are_refused(void **state)
{
	(void)state;
	struct group_desc one = { .name = "{anon_group}", .leader_idx = 1, .nr_members = 2 };
	struct features f = { .group_descs = { &one, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_GROUP_DESC, &g);
	assert_int_equal(g.group_descs.items[0].nr_members, 2);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_GROUP_DESC);
}

static void an_empty_list_of_groups_is_a_list(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };

	feature_round_trip(&f, FEATURE_GROUP_DESC, &g);
	assert_int_equal(g.group_descs.n, 0);
}

static void hybrid_pmus_survive_and_cut_ones_are_refused(void **state)
{
	(void)state;
	struct hybrid_pmu one = { .pmu_name = "cpu_core", .cpus = "0-7" };
	struct features f = { .hybrid = { &one, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_HYBRID_TOPOLOGY, &g);
	assert_string_equal(g.hybrid.items[0].pmu_name, "cpu_core");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_HYBRID_TOPOLOGY);
}

static void an_empty_list_of_hybrid_pmus_is_a_list(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };

	feature_round_trip(&f, FEATURE_HYBRID_TOPOLOGY, &g);
	assert_int_equal(g.hybrid.n, 0);
}

static void the_index_of_traces_survives(void **state)
{
	(void)state;
	struct features f = { 0 }, g = { 0 };
	__typeof__(*f.auxtrace.index.items) one = { 0x1234, 48 };

	f.auxtrace.index.items = &one;
	f.auxtrace.index.n = 1;
	feature_round_trip(&f, FEATURE_AUXTRACE, &g);
	assert_int_equal(g.auxtrace.index.items[0].file_offset, 0x1234);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_AUXTRACE);
}

static void caches_survive(void **state)
{
	(void)state;
	struct cache_desc l1 = { 1, 64, 256, 4, "Data", "64K", "0" };
	struct features f = { .caches = { .version = 1, .list = { &l1, 1, 0 } } }, g = { 0 };

	feature_round_trip(&f, FEATURE_CACHE, &g);
	assert_string_equal(g.caches.list.items[0].size, "64K");
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_CACHE);
}

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

static void bpf_programs_and_types_survive(void **state)
{
	(void)state;
	struct bpf_prog prog = { 3, 2, 0x1f9, (uint8_t *)"abc", (uint8_t *)"de" };
	struct bpf_btf btf = { 7, 4, (uint8_t *)"btf" };
	struct features f = { .bpf_progs = { &prog, 1, 0 }, .bpf_btfs = { &btf, 1, 0 } };
	struct features g = { 0 };

	feature_round_trip(&f, FEATURE_BPF_PROG_INFO, &g);
	feature_round_trip(&f, FEATURE_BPF_BTF, &g);
	assert_int_equal(g.bpf_progs.items[0].arrays, 0x1f9);
	assert_memory_equal(g.bpf_progs.items[0].data, "de", 2);
	assert_int_equal(g.bpf_btfs.items[0].id, 7);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_BPF_PROG_INFO);
	feature_cut_is_refused(&f, FEATURE_BPF_BTF);
}

static void a_count_beyond_the_payload_is_refused_without_its_memory(void **state)
{
	(void)state;
	static const uint8_t payload[] = { 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0 };
	struct features f = { 0 };

	assert_int_not_equal(
		features_decode(&f, FEATURE_BPF_BTF, cursor_over(payload, sizeof(payload), false)),
		0);
	assert_null(f.bpf_btfs.items);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_numbers_survive),
		cmocka_unit_test(a_flag_has_no_payload),
		cmocka_unit_test(the_blob_of_tracing_data_is_carried_as_it_is),
		cmocka_unit_test(a_command_line_is_a_list_of_words),
		cmocka_unit_test(numa_nodes_survive_and_cut_ones_are_refused),
		cmocka_unit_test(an_empty_list_of_numa_nodes_is_a_list),
		cmocka_unit_test(pmu_mappings_survive_and_cut_ones_are_refused),
		cmocka_unit_test(an_empty_list_of_pmu_mappings_is_a_list),
		cmocka_unit_test(groups_survive_and_cut_ones_are_refused),
		cmocka_unit_test(an_empty_list_of_groups_is_a_list),
		cmocka_unit_test(hybrid_pmus_survive_and_cut_ones_are_refused),
		cmocka_unit_test(an_empty_list_of_hybrid_pmus_is_a_list),
		cmocka_unit_test(the_index_of_traces_survives),
		cmocka_unit_test(caches_survive),
		cmocka_unit_test(capabilities_of_the_cpu_survive),
		cmocka_unit_test(the_name_of_a_pmu_follows_its_capabilities),
		cmocka_unit_test(bpf_programs_and_types_survive),
		cmocka_unit_test(a_count_beyond_the_payload_is_refused_without_its_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
