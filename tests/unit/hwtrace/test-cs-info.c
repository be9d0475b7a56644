/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "hwtrace/cs-info.h"
#include "wire/record.h"

static int read_words(const uint64_t *words, size_t n, struct cs_info *ret)
{
	const struct words w = { .bytes = (const uint8_t *)words, .n = n };

	return cs_info_read(&w, ret);
}

static const uint64_t two_units[] = {
	1,     8ULL << 32 | 2,
	0,     CS_ETM_4_MAGIC,
	5,     7,
	0x840, 0x12,
	1,     2,
	3,     4,
	5,     CS_ETE_MAGIC,
	6,     9,
	0x40,  0x14,
	1,     2,
	3,     4,
	5,     0x47705a13,
	99,
};

static void units_have_their_registers(void **state)
{
	struct cs_info info;

	(void)state;
	assert_int_equal(read_words(two_units, ARRAY_SIZE(two_units), &info), 0);
	assert_int_equal(info.pmu_type, 8);
	assert_int_equal(info.n_units, 2);
	assert_int_equal(info.units[0].cpu, 5);
	assert_int_equal(info.units[0].id, 0x12);
	assert_int_equal(info.units[0].registers[CS_ETM_4_IDR8], 4);
	assert_int_equal(info.units[0].registers[CS_ETE_DEVARCH], 0);
	assert_int_equal(info.units[1].registers[CS_ETE_DEVARCH], 0x47705a13);
	cs_info_done(&info);
}

static void units_of_version_0_have_a_fixed_length(void **state)
{
	static const uint64_t words[] = { 0,      8ULL << 32 | 1, 0, CS_ETM_3_MAGIC, 2,
					  0x1000, 0x14,           7, 0x411cf300 };
	struct cs_info info;

	(void)state;
	assert_int_equal(read_words(words, ARRAY_SIZE(words), &info), 0);
	assert_int_equal(info.units[0].id, 0x14);
	assert_int_equal(info.units[0].registers[CS_ETM_3_IDR], 0x411cf300);
	cs_info_done(&info);
}

static void malformed_words_are_refused(void **state)
{
	static const uint64_t newer[] = { 2, 0, 0 }, unknown[] = { 1, 1, 0, 77, 0, 0 };
	static const uint64_t many[] = { 1, UINT32_MAX, 0 };
	static const uint64_t endless[] = { 1, 1, 0, CS_ETM_4_MAGIC, 0, UINT64_MAX };
	struct cs_info info = { .n_units = 77 };

	(void)state;
	for (size_t n = 0; n < ARRAY_SIZE(two_units); n++)
		assert_int_equal(read_words(two_units, n, &info), -EBADMSG);
	assert_int_equal(read_words(newer, 3, &info), -EBADMSG);
	assert_int_equal(read_words(unknown, 6, &info), -EBADMSG);
	assert_int_equal(read_words(many, 3, &info), -EBADMSG);
	assert_int_equal(read_words(endless, 6, &info), -EBADMSG);
	assert_int_equal(info.n_units, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_have_their_registers),
		cmocka_unit_test(units_of_version_0_have_a_fixed_length),
		cmocka_unit_test(malformed_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
