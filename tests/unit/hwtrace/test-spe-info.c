/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "hwtrace/spe-info.h"

#define WORDS(a) ((struct words){ .bytes = (const uint8_t *)(a), .n = ARRAY_SIZE(a) })

static void the_first_word_was_the_type_of_the_pmu(void **state)
{
	const uint64_t old[] = { 7, 1 };
	struct spe_info info;

	(void)state;
	assert_int_equal(spe_info_read(&WORDS(old), &info), 0);
	assert_int_equal(info.pmu_type, 7);
	assert_false(info.has_cpus);
}

static void version_2_has_words_for_each_cpu(void **state)
{
	const uint64_t two[] = { 2,   5,    7, 2, 99,         0x10, 0,   3, 0x410fd0c0, 7,
				 256, 0x10, 4, 5, 0x410fd400, 7,    128, 3, 9 };
	const struct words words = WORDS(two);
	uint64_t cpu[SPE_CPU_WORDS];
	struct spe_info info;
	size_t at, n;

	(void)state;
	assert_int_equal(spe_info_read(&words, &info), 0);
	assert_true(info.has_cpus);
	assert_int_equal(info.pmu_type, 7);
	at = info.first_cpu;
	assert_true(spe_info_next_cpu(&words, &at, cpu, &n));
	assert_int_equal(n, 6);
	assert_int_equal(cpu[SPE_CPU_MIDR], 0x410fd0c0);
	assert_int_equal(cpu[SPE_CPU_EVENT_FILTER], 0);
	assert_true(spe_info_next_cpu(&words, &at, cpu, &n));
	assert_int_equal(n, 8);
	assert_int_equal(cpu[SPE_CPU_NUMBER], 4);
	assert_int_equal(cpu[SPE_CPU_EVENT_FILTER], 3);
	assert_false(spe_info_next_cpu(&words, &at, cpu, &n));
}

static void too_few_words_are_refused(void **state)
{
	const uint64_t one[] = { 7 }, no_head[] = { 2, 4, 7 }, short_head[] = { 2, 3, 7, 0 },
		       long_head[] = { 2, 5, 7, 0 };
	struct spe_info info;

	(void)state;
	assert_int_equal(spe_info_read(&WORDS(one), &info), -EBADMSG);
	assert_int_equal(spe_info_read(&WORDS(no_head), &info), -EBADMSG);
	assert_int_equal(spe_info_read(&WORDS(short_head), &info), -EBADMSG);
	assert_int_equal(spe_info_read(&WORDS(long_head), &info), -EBADMSG);
}

static void a_cpu_that_is_cut_off_is_none(void **state)
{
	const uint64_t cut[] = { 2, 4, 7, 1, 0x10, 0, 3, 1, 2 },
		       huge[] = { 2, 4, 7, 1, 0x10, 0, UINT64_MAX };
	uint64_t cpu[SPE_CPU_WORDS];
	size_t at = 4, n;

	(void)state;
	assert_false(spe_info_next_cpu(&WORDS(cut), &at, cpu, &n));
	assert_false(spe_info_next_cpu(&WORDS(huge), &at, cpu, &n));
	at = 100;
	assert_false(spe_info_next_cpu(&WORDS(cut), &at, cpu, &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_word_was_the_type_of_the_pmu),
		cmocka_unit_test(version_2_has_words_for_each_cpu),
		cmocka_unit_test(too_few_words_are_refused),
		cmocka_unit_test(a_cpu_that_is_cut_off_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
