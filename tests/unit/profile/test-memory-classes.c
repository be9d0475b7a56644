/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/memory-classes.h"

static const char *class_of(uint64_t data_src, enum memory_breakdown b)
{
	return memory_classes(b)[memory_class_in(memory_classes_of(data_src), b)].title;
}

static void operations_that_are_several_go_by_the_strongest(void **state)
{
	(void)state;
	assert_string_equal(class_of(0, MEMORY_BY_OP), "Other");
	assert_string_equal(class_of(2, MEMORY_BY_OP), "Load");
	assert_string_equal(class_of(3, MEMORY_BY_OP), "Other");
	assert_string_equal(class_of(4, MEMORY_BY_OP), "Store");
	assert_string_equal(class_of(6, MEMORY_BY_OP), "Ld+St");
	assert_string_equal(class_of(8 | 2, MEMORY_BY_OP), "Pfetch");
	assert_string_equal(class_of(16 | 4, MEMORY_BY_OP), "Exec");
	assert_string_equal(class_of(16 | 8, MEMORY_BY_OP), "Pfetch");
}

static void a_level_is_a_cache_or_memory_or_neither(void **state)
{
	static const struct {
		const char *cache, *memory;
	} levels[] = {
		[0] = { "Other", "Other" },   [1] = { "L1", "Other" },
		[2] = { "L2", "Other" },      [3] = { "L3", "Other" },
		[4] = { "L4", "Other" },      [5] = { "L2-buf", "Other" },
		[6] = { "Other", "MSC" },     [7] = { "Other", "Other" },
		[8] = { "Other", "Uncach" },  [9] = { "Other", "CXL" },
		[10] = { "Other", "IO" },     [11] = { "Other", "Other" },
		[12] = { "L1-buf", "Other" }, [13] = { "Other", "RAM" },
		[14] = { "Other", "PMEM" },   [15] = { "Other", "Other" },
	};

	(void)state;
	for (uint64_t i = 0; i < 16; i++) {
		assert_string_equal(class_of(i << 33, MEMORY_BY_CACHE), levels[i].cache);
		assert_string_equal(class_of(i << 33, MEMORY_BY_MEMORY), levels[i].memory);
	}
}

static void snoops_have_one_meaning(void **state)
{
	(void)state;
	assert_string_equal(class_of(4ULL << 19, MEMORY_BY_SNOOP), "Hit");
	assert_string_equal(class_of(8ULL << 19, MEMORY_BY_SNOOP), "Miss");
	assert_string_equal(class_of(16ULL << 19, MEMORY_BY_SNOOP), "HitM");
	assert_string_equal(class_of(20ULL << 19, MEMORY_BY_SNOOP), "Other");
}

static void a_miss_of_the_tlb_is_one_wherever_it_was(void **state)
{
	(void)state;
	assert_string_equal(class_of(10ULL << 26, MEMORY_BY_DTLB), "L1-Hit");
	assert_string_equal(class_of(18ULL << 26, MEMORY_BY_DTLB), "L2-Hit");
	assert_string_equal(class_of(26ULL << 26, MEMORY_BY_DTLB), "L?-Hit");
	assert_string_equal(class_of(14ULL << 26, MEMORY_BY_DTLB), "Miss");
	assert_string_equal(class_of(2ULL << 26, MEMORY_BY_DTLB), "Other");
}

static void every_class_has_a_name(void **state)
{
	(void)state;
	for (uint32_t all = 0; all < 1 << 12; all++) {
		uint64_t v = (uint64_t)(all & 0x1f) | (uint64_t)(all >> 5) << 26;

		for (int b = 0; b < N_MEMORY_BREAKDOWNS; b++)
			assert_non_null(class_of(v, (enum memory_breakdown)b));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_that_are_several_go_by_the_strongest),
		cmocka_unit_test(a_level_is_a_cache_or_memory_or_neither),
		cmocka_unit_test(snoops_have_one_meaning),
		cmocka_unit_test(a_miss_of_the_tlb_is_one_wherever_it_was),
		cmocka_unit_test(every_class_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
