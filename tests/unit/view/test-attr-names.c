/* SPDX-License-Identifier: MIT */
#include "view/attr-names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "wire/attr.h"

static struct pmu_mapping pmus[] = { { 0, (char *)"zero" },
				     { 4, (char *)"cpu" },
				     { 8, (char *)"a\033pmu" } };

static void assert_names(uint32_t type, uint64_t config, bool known, const char *type_name,
			 const char *config_name)
{
	struct features f = { 0 };
	const struct attr a = { .type = type, .config = config };
	_cleanup_(attr_names_done) struct attr_names n = { TEXT_EMPTY, TEXT_EMPTY };

	f.pmu_mappings.items = pmus;
	f.pmu_mappings.n = ARRAY_SIZE(pmus);
	n = attr_names_of(&a, known ? &f : NULL, "sched:sched_switch");
	assert_string_equal(n.type.chars, type_name);
	assert_string_equal(n.config.chars, config_name);
}

static void generic_events_have_the_names_of_the_header(void **state)
{
	(void)state;
	assert_names(0, 9, true, "PERF_TYPE_HARDWARE", "PERF_COUNT_HW_REF_CPU_CYCLES");
	assert_names(1, 11, true, "PERF_TYPE_SOFTWARE", "PERF_COUNT_SW_CGROUP_SWITCHES");
	assert_names(2, 7, true, "PERF_TYPE_TRACEPOINT", "sched:sched_switch");
	assert_names(3, 0x10103, true, "PERF_TYPE_HW_CACHE",
		     "PERF_COUNT_HW_CACHE_RESULT_MISS | PERF_COUNT_HW_CACHE_OP_WRITE | "
		     "PERF_COUNT_HW_CACHE_DTLB");
	assert_names(5, 0, true, "PERF_TYPE_BREAKPOINT", "");
}

static void numbers_beyond_the_tables_have_no_name(void **state)
{
	(void)state;
	assert_names(0, 10, true, "PERF_TYPE_HARDWARE", "");
	assert_names(1, 12, true, "PERF_TYPE_SOFTWARE", "");
	assert_names(1, 1ULL << 32, true, "PERF_TYPE_SOFTWARE", "");
	assert_names(3, 7, true, "PERF_TYPE_HW_CACHE", "");
	assert_names(3, 0x300, true, "PERF_TYPE_HW_CACHE", "");
	assert_names(3, 0x20000, true, "PERF_TYPE_HW_CACHE", "");
	assert_names(77, 1, true, "", "");
}

static void pmus_have_the_names_of_the_recording(void **state)
{
	(void)state;
	assert_names(4, 0x1cd, true, "cpu", "");
	assert_names(4, 0x1cd, false, "PERF_TYPE_RAW", "");
	assert_names(8, 1, true, "a\\x1bpmu", "");
	assert_names(0, 4ULL << 32, true, "PERF_TYPE_HARDWARE", "cpu/PERF_COUNT_HW_CPU_CYCLES/");
	assert_names(0, 5ULL << 32, true, "PERF_TYPE_HARDWARE", "PERF_COUNT_HW_CPU_CYCLES");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_events_have_the_names_of_the_header),
		cmocka_unit_test(numbers_beyond_the_tables_have_no_name),
		cmocka_unit_test(pmus_have_the_names_of_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
