/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "event/tables.h"
#include "event/vendor.h"
#include "kernel/pmu.h"

static const struct vendor_event *find(const char *cpuid, const char *name)
{
	const struct vendor_table *t = vendor_table_for_cpu(cpuid);

	assert_non_null(t);
	return vendor_event_find(t, name);
}

static void an_unknown_cpu_has_no_table(void **state)
{
	(void)state;
	assert_null(vendor_table_for_cpu("nobody-0-0-0"));
	assert_null(vendor_table_for_cpu(""));
}

static void names_are_found_in_either_case(void **state)
{
	(void)state;
	assert_string_equal(find("0x00000000410fd0c0", "br_mis_pred")->terms, "event=0x10");
	assert_string_equal(find("0x00000000410fd0c0", "BR_MIS_PRED")->name, "br_mis_pred");
	assert_null(find("0x00000000410fd0c0", "br_mis_pre"));
}

static void a_later_core_of_a_family_has_its_own_code(void **state)
{
	(void)state;
	assert_string_equal(find("GenuineIntel-6-5E-3", "uops_issued.any")->terms,
			    "event=0x0e,umask=0x01");
	assert_string_equal(find("GenuineIntel-6-8F-8", "uops_issued.any")->terms,
			    "event=0xae,umask=0x01");
}

static void an_intel_core_without_a_table_has_the_architectural_events(void **state)
{
	(void)state;
	assert_non_null(find("GenuineIntel-6-3C-3", "inst_retired.any"));
	assert_null(find("GenuineIntel-6-3C-3", "mem_load_retired.l1_hit"));
}

static void every_table_is_sorted_and_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < vendor_cpus_n; i++) {
		const struct vendor_table *t = vendor_cpus[i].table;

		assert_true(t->n > 0);
		for (size_t j = 0; j < t->n; j++) {
			assert_true(t->events[j].terms && t->events[j].topic && t->events[j].brief);
			assert_ptr_equal(vendor_event_find(t, t->events[j].name), &t->events[j]);
		}
	}
}

static void only_the_pmu_of_a_core_has_a_table(void **state)
{
	const struct pmu core = { .core = true }, other = { .core = false };

	(void)state;
	setenv("PERF_CPUID", "0x00000000410fd490", 1);
	assert_string_equal(vendor_table_for_pmu(&core)->name, "neoverse-n2");
	assert_null(vendor_table_for_pmu(&other));
	unsetenv("PERF_CPUID");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_cpu_has_no_table),
		cmocka_unit_test(names_are_found_in_either_case),
		cmocka_unit_test(a_later_core_of_a_family_has_its_own_code),
		cmocka_unit_test(an_intel_core_without_a_table_has_the_architectural_events),
		cmocka_unit_test(every_table_is_sorted_and_complete),
		cmocka_unit_test(only_the_pmu_of_a_core_has_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
