/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/spe-packet.h"
#include "hwtrace/spe-record.h"
#include "hwtrace/spe-source.h"

#define NEOVERSE_N1 0x00000000410fd0c0
#define CORTEX_A72  0x00000000410fd080

static uint64_t source(unsigned op, uint16_t number, uint32_t events, uint64_t midr)
{
	const struct spe_record r = { .op = op, .source = number, .events = events };

	return spe_data_source(&r, midr);
}

/* Linux's perf 6.1 gives the same numbers. */
static void neoverse_numbers_are_known(void **state)
{
	(void)state;
	assert_int_equal(source(SPE_LOAD, 0, 0, NEOVERSE_N1), 0x200100142);
	assert_int_equal(source(SPE_LOAD, 8, 0, NEOVERSE_N1), 0x400100442);
	assert_int_equal(source(SPE_LOAD, 9, 0, NEOVERSE_N1), 0x8400000442);
	assert_int_equal(source(SPE_LOAD, 0xa, 0, NEOVERSE_N1), 0x8600000842);
	assert_int_equal(source(SPE_LOAD, 0xb, SPE_EVENT_TLB_ACCESS, NEOVERSE_N1), 0x688200842);
	assert_int_equal(source(SPE_LOAD, 0xd, 0, NEOVERSE_N1), 0xbe00000022);
	assert_int_equal(source(SPE_LOAD, 0xe, 0, NEOVERSE_N1), 0x1a00101042);
	assert_int_equal(source(SPE_LOAD, 0x77, 0, NEOVERSE_N1), 0x2);
	assert_int_equal(source(SPE_STORE, 8, 0, NEOVERSE_N1), 0x1e00080024);
}

static void others_go_by_events(void **state)
{
	(void)state;
	assert_int_equal(source(SPE_LOAD, 8, 0, CORTEX_A72), 0x2);
	assert_int_equal(source(SPE_LOAD, 0, SPE_EVENT_L1D_ACCESS, CORTEX_A72), 0x142);
	assert_int_equal(source(SPE_STORE, 0, SPE_EVENT_L1D_ACCESS | SPE_EVENT_L1D_MISS, 0),
			 0x184 & ~0x40);
	assert_int_equal(source(SPE_LOAD, 0, SPE_EVENT_REMOTE, 0), 0x2000000002);
}

static void what_is_no_memory_operation_has_none(void **state)
{
	(void)state;
	assert_int_equal(source(SPE_NO_OP, 8, SPE_EVENT_L1D_ACCESS, NEOVERSE_N1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neoverse_numbers_are_known),
		cmocka_unit_test(others_go_by_events),
		cmocka_unit_test(what_is_no_memory_operation_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
