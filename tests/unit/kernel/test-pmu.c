/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "fake-tree.h"
#include "kernel/pmu.h"

static void a_machine_without_the_directory_has_no_pmus(void **state)
{
	(void)state;
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open("/nowhere/at/all");
	size_t at = 0;

	assert_int_equal(pmu_list_count(l), 0);
	assert_null(pmu_list_find(l, "cpu"));
	assert_null(pmu_list_next_core(l, &at));
}

static void names_come_sorted_without_loading(void **state)
{
	fake_file(*state, "software/type", "1\n");
	fake_file(*state, "cpu/type", "4\n");
	fake_file(*state, "breakpoint/", "");
	fake_file(*state, ".hidden/type", "9\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);

	assert_int_equal(pmu_list_count(l), 3);
	assert_string_equal(pmu_list_name(l, 0), "breakpoint");
	assert_string_equal(pmu_list_name(l, 1), "cpu");
	assert_string_equal(pmu_list_name(l, 2), "software");
}

static void a_pmu_without_a_readable_type_is_none(void **state)
{
	static const char *const types[] = { "", "x\n", "-1\n", "4294967296\n", "4 4\n" };
	char path[32];

	fake_file(*state, "missing/", "");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		snprintf(path, sizeof(path), "bad%zu/type", i);
		fake_file(*state, path, types[i]);
	}
	fake_file(*state, "good/type", "4294967295\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);

	assert_null(pmu_list_find(l, "missing"));
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		snprintf(path, sizeof(path), "bad%zu", i);
		assert_null(pmu_list_find(l, path));
	}
	assert_int_equal(pmu_list_find(l, "good")->type, UINT32_MAX);
}

static void what_is_found_once_stays_where_it_is(void **state)
{
	fake_file(*state, "cpu/type", "4\n");
	fake_file(*state, "msr/type", "7\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	const struct pmu *p = pmu_list_find(l, "msr");

	assert_int_equal(p->type, 7);
	assert_ptr_equal(p, pmu_list_find(l, "msr"));
	assert_ptr_equal(p, pmu_list_get(l, 1));
}

static void formats_give_a_word_and_its_bits(void **state)
{
	fake_file(*state, "cpu/type", "4\n");
	fake_file(*state, "cpu/format/event", "config:0-7,32-35\n");
	fake_file(*state, "cpu/format/ldlat", "config1:0-15\n");
	fake_file(*state, "cpu/format/edge", "config2:18\n");
	fake_file(*state, "cpu/format/all", "config3:0-63\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	const struct pmu *p = pmu_list_find(l, "cpu");

	assert_int_equal(p->n_formats, 4);
	assert_int_equal(pmu_format_find(p, "event")->word, PMU_CONFIG);
	assert_int_equal(pmu_format_find(p, "event")->mask, 0xf000000ff);
	assert_int_equal(pmu_format_find(p, "ldlat")->word, PMU_CONFIG1);
	assert_int_equal(pmu_format_find(p, "ldlat")->mask, 0xffff);
	assert_int_equal(pmu_format_find(p, "edge")->word, PMU_CONFIG2);
	assert_int_equal(pmu_format_find(p, "edge")->mask, 1 << 18);
	assert_int_equal(pmu_format_find(p, "all")->word, PMU_CONFIG3);
	assert_int_equal(pmu_format_find(p, "all")->mask, UINT64_MAX);
	assert_null(pmu_format_find(p, "umask"));
}

static void formats_that_make_no_sense_are_skipped(void **state)
{
	static const char *const bad[] = { "",           "config",    "config:",     "config:64",
					   "config:7-0", "config:0-", "conf:0",      "config9:0",
					   "config:0 x", ":0-7",      "config:0,,1", "config:-1" };
	char path[32];

	fake_file(*state, "cpu/type", "4\n");
	fake_file(*state, "cpu/format/directory/", "");
	fake_file(*state, "cpu/format/good", "config:0\n");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(path, sizeof(path), "cpu/format/bad%zu", i);
		fake_file(*state, path, bad[i]);
	}
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	const struct pmu *p = pmu_list_find(l, "cpu");

	assert_int_equal(p->n_formats, 1);
	assert_string_equal(p->formats[0].name, "good");
}

static void aliases_carry_unit_scale_and_flags(void **state)
{
	fake_file(*state, "power/type", "10\n");
	fake_file(*state, "power/events/energy-pkg", "event=0x02\n");
	fake_file(*state, "power/events/energy-pkg.unit", "Joules\n");
	fake_file(*state, "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
	fake_file(*state, "power/events/energy-pkg.snapshot", "1\n");
	fake_file(*state, "power/events/energy-pkg.per-pkg", "1\n");
	fake_file(*state, "power/events/a-plain.one", "event=0x1\n");
	fake_file(*state, "power/events/orphan.scale", "2\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	const struct pmu *p = pmu_list_find(l, "power");
	const struct pmu_alias *a = pmu_alias_find(p, "energy-pkg");

	assert_int_equal(p->n_aliases, 2);
	assert_string_equal(p->aliases[0].name, "a-plain.one");
	assert_string_equal(p->aliases[0].unit, "");
	assert_true(p->aliases[0].scale == 1);
	assert_false(p->aliases[0].snapshot || p->aliases[0].per_package);
	assert_string_equal(a->terms, "event=0x02");
	assert_string_equal(a->unit, "Joules");
	assert_true(a->scale == 0x1p-32);
	assert_true(a->snapshot && a->per_package);
	assert_null(pmu_alias_find(p, "orphan"));
	assert_null(pmu_alias_find(p, "energy-pkg.unit"));
}

static void a_scale_reads_the_same_in_every_locale(void **state)
{
	fake_file(*state, "power/type", "10\n");
	fake_file(*state, "power/events/half", "event=1\n");
	fake_file(*state, "power/events/half.scale", "0.5\n");
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		print_message("# there is no locale de_DE.UTF-8\n");
		skip();
	}
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);

	assert_true(pmu_alias_find(pmu_list_find(l, "power"), "half")->scale == 0.5);
	setlocale(LC_ALL, "C");
}

static void a_scale_that_is_no_number_is_one(void **state)
{
	static const char *const bad[] = { "", "x\n", "0.5x\n", "nan\n", "inf\n", "1e999\n" };
	char path[64];

	fake_file(*state, "power/type", "10\n");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(path, sizeof(path), "power/events/e%zu", i);
		fake_file(*state, path, "event=1\n");
		strcat(path, ".scale");
		fake_file(*state, path, bad[i]);
	}
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	const struct pmu *p = pmu_list_find(l, "power");

	assert_int_equal(p->n_aliases, ARRAY_SIZE(bad));
	for (size_t i = 0; i < p->n_aliases; i++)
		assert_true(p->aliases[i].scale == 1);
}

static void huge_attributes_are_left_out(void **state)
{
	size_t size = 100000;
	char *huge = malloc(size + 1);

	memset(huge, 'a', size);
	huge[size] = '\0';
	fake_file(*state, "cpu/type", "4\n");
	fake_file(*state, "cpu/format/event", huge);
	fake_file(*state, "cpu/events/cycles", huge);
	fake_file(*state, "cpu/cpus", huge);
	free(huge);
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	const struct pmu *p = pmu_list_find(l, "cpu");

	assert_int_equal(p->n_formats, 0);
	assert_int_equal(p->n_aliases, 0);
	assert_false(p->has_cpus);
}

static void the_core_pmus_are_cpu_and_those_with_a_cpus_file(void **state)
{
	fake_file(*state, "breakpoint/type", "5\n");
	fake_file(*state, "cpu_atom/type", "10\n");
	fake_file(*state, "cpu_atom/cpus", "16-31\n");
	fake_file(*state, "cpu_core/type", "4\n");
	fake_file(*state, "cpu_core/cpus", "0-15\n");
	fake_file(*state, "uncore_imc_0/type", "20\n");
	fake_file(*state, "uncore_imc_0/cpumask", "0,64\n");
	fake_file(*state, "cpu/type", "99\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	size_t at = 0;

	assert_string_equal(pmu_list_next_core(l, &at)->name, "cpu");
	assert_string_equal(pmu_list_next_core(l, &at)->name, "cpu_atom");
	assert_string_equal(pmu_list_next_core(l, &at)->name, "cpu_core");
	assert_null(pmu_list_next_core(l, &at));
	assert_true(pmu_list_find(l, "cpu_core")->core);
	assert_false(pmu_list_find(l, "uncore_imc_0")->core);
}

static void cpus_and_cpumask_say_where_it_opens(void **state)
{
	fake_file(*state, "cpu_core/type", "4\n");
	fake_file(*state, "cpu_core/cpus", "0-3\n");
	fake_file(*state, "imc/type", "20\n");
	fake_file(*state, "imc/cpumask", "0,64\n");
	fake_file(*state, "none/type", "21\n");
	fake_file(*state, "empty/type", "22\n");
	fake_file(*state, "empty/cpumask", "\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);

	assert_int_equal(pmu_list_find(l, "cpu_core")->cpus.n, 4);
	assert_true(cpu_list_contains(&pmu_list_find(l, "imc")->cpus, 64));
	assert_false(pmu_list_find(l, "none")->has_cpus);
	assert_true(pmu_list_find(l, "empty")->has_cpus);
	assert_int_equal(pmu_list_find(l, "empty")->cpus.n, 0);
}

static void max_precise_comes_from_caps(void **state)
{
	fake_file(*state, "cpu/type", "4\n");
	fake_file(*state, "cpu/caps/max_precise", "3\n");
	fake_file(*state, "msr/type", "7\n");
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);

	assert_int_equal(pmu_list_find(l, "cpu")->max_precise, 3);
	assert_int_equal(pmu_list_find(l, "msr")->max_precise, 0);
}

static void a_name_matches_with_its_prefix_and_number_left_out(void **state)
{
	(void)state;
	assert_true(pmu_name_matches("uncore_imc_0", "uncore_imc_0"));
	assert_true(pmu_name_matches("uncore_imc_0", "uncore_imc"));
	assert_true(pmu_name_matches("uncore_imc_12", "imc"));
	assert_true(pmu_name_matches("uncore_imc_0", "imc_0"));
	assert_true(pmu_name_matches("armv8_pmuv3_0", "armv8_pmuv3"));
	assert_true(pmu_name_matches("cbox3", "cbox"));
	assert_true(pmu_name_matches("uncore_imc_0", "imc*"));
	assert_true(pmu_name_matches("uncore_imc_0", "uncore_*"));
	assert_false(pmu_name_matches("uncore_imc_free_running_0", "imc"));
	assert_false(pmu_name_matches("uncore_imc_0", "im"));
	assert_false(pmu_name_matches("uncore_imc_", "imc"));
	assert_false(pmu_name_matches("cpu_core", "cpu"));
	assert_false(pmu_name_matches("cpu", ""));
	assert_false(pmu_name_matches("cpu", "cpu_core"));
}

static void a_value_is_spread_over_the_bits(void **state)
{
	(void)state;
	const struct pmu_format event = { .mask = 0xf000000ff };
	const struct pmu_format all = { .mask = UINT64_MAX };
	uint64_t word = 0xfff00f0000ff00;

	assert_int_equal(pmu_format_max(&event), 0xfff);
	assert_int_equal(pmu_format_max(&all), UINT64_MAX);
	pmu_format_deposit(&event, 0x4cd, &word);
	assert_int_equal(word, 0xfff0040000ffcd);
	pmu_format_deposit(&event, 0, &word);
	assert_int_equal(word, 0xfff0000000ff00);
	pmu_format_deposit(&all, UINT64_MAX, &word);
	assert_int_equal(word, UINT64_MAX);
}

#define in_tree(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_without_the_directory_has_no_pmus),
		in_tree(names_come_sorted_without_loading),
		in_tree(a_pmu_without_a_readable_type_is_none),
		in_tree(what_is_found_once_stays_where_it_is),
		in_tree(formats_give_a_word_and_its_bits),
		in_tree(formats_that_make_no_sense_are_skipped),
		in_tree(aliases_carry_unit_scale_and_flags),
		in_tree(a_scale_reads_the_same_in_every_locale),
		in_tree(a_scale_that_is_no_number_is_one),
		in_tree(huge_attributes_are_left_out),
		in_tree(the_core_pmus_are_cpu_and_those_with_a_cpus_file),
		in_tree(cpus_and_cpumask_say_where_it_opens),
		in_tree(max_precise_comes_from_caps),
		cmocka_unit_test(a_name_matches_with_its_prefix_and_number_left_out),
		cmocka_unit_test(a_value_is_spread_over_the_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
