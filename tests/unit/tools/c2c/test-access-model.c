/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/c2c/access-model.h"

#define LOAD          2ULL
#define STORE         4ULL
#define LVL(bits)     ((uint64_t)(bits) << 5)
#define SNOOP(bits)   ((uint64_t)(bits) << 19)
#define PEER          (2ULL << 38)
#define REMOTE        (1ULL << 37)
#define HOPS(n)       ((uint64_t)(n) << 43)
#define HIT           2
#define MISS          4
#define L1            8
#define L2            32
#define L3            64
#define LOCAL_RAM     128
#define REMOTE_RAM    256
#define REMOTE_CACHE  1024
#define ALWAYS(first) (C2C_BIT(C2C_RECORDS) | C2C_BIT(first))

static void check(uint64_t data_src, uint32_t counters)
{
	assert_int_equal(c2c_access(data_src, 0x1000, true), counters);
}

static void loads_count_for_the_level_that_had_the_data(void **state)
{
	(void)state;
	check(LOAD | LVL(HIT | L1), ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_L1));
	check(LOAD | LVL(HIT | L3), ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_LLC));
	check(LOAD | LVL(HIT | L3) | SNOOP(16), ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOCAL_HITM));
	check(LOAD | LVL(MISS | L3) | SNOOP(16), ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_MISS));
	check(LOAD | LVL(HIT | LOCAL_RAM) | SNOOP(4),
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOCAL_DRAM) | C2C_BIT(C2C_LOAD_SHARED));
	check(LOAD | LVL(HIT | REMOTE_RAM),
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_REMOTE_DRAM) | C2C_BIT(C2C_LOAD_EXCLUSIVE));
	check(LOAD | LVL(HIT | REMOTE_CACHE) | SNOOP(16),
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_REMOTE_HITM));
	check(LOAD | LVL(HIT | REMOTE_CACHE) | SNOOP(4 | 16),
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_REMOTE_HIT));
}

static void peers_answer_where_hardware_knows_no_hitm(void **state)
{
	(void)state;
	check(LOAD | LVL(HIT | L2) | PEER,
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_L2) | C2C_BIT(C2C_LOCAL_PEER));
	check(LOAD | LVL(HIT | REMOTE_CACHE) | PEER,
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_REMOTE_HIT) | C2C_BIT(C2C_REMOTE_PEER));
}

static void remote_is_far_only_without_hops(void **state)
{
	(void)state;
	check(LOAD | LVL(HIT | L3) | SNOOP(2) | REMOTE, ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_LLC) |
								C2C_BIT(C2C_REMOTE_DRAM) |
								C2C_BIT(C2C_LOAD_EXCLUSIVE));
	check(LOAD | LVL(HIT | L3) | SNOOP(2) | REMOTE | HOPS(1),
	      ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_LLC));
}

static void stores_count_for_the_first_cache(void **state)
{
	(void)state;
	check(STORE | LVL(HIT | L1), ALWAYS(C2C_STORES) | C2C_BIT(C2C_STORE_L1_HIT));
	check(STORE | LVL(MISS | L1), ALWAYS(C2C_STORES) | C2C_BIT(C2C_STORE_L1_MISS));
	check(STORE | LVL(1), ALWAYS(C2C_STORES) | C2C_BIT(C2C_STORE_NA));
	check(STORE | LVL(HIT | L2), ALWAYS(C2C_STORES));
}

static void what_lies_nowhere_is_told(void **state)
{
	(void)state;
	assert_int_equal(c2c_access(LOAD | LVL(HIT | L1), 0, false),
			 ALWAYS(C2C_LOADS) | C2C_BIT(C2C_LOAD_NO_ADDR));
	assert_int_equal(c2c_access(STORE | LVL(HIT | L1), 8, false),
			 ALWAYS(C2C_STORES) | C2C_BIT(C2C_STORE_L1_HIT) | C2C_BIT(C2C_NO_MAP));
	assert_int_equal(c2c_access(8, 8, true), ALWAYS(C2C_NO_PARSE));
}

static void sums_leave_out_what_has_no_column(void **state)
{
	struct c2c_stats s = { 0 };

	(void)state;
	c2c_stats_count(&s, C2C_BIT(C2C_LOADS) | C2C_BIT(C2C_LOAD_IO));
	c2c_stats_count(&s, C2C_BIT(C2C_LOADS) | C2C_BIT(C2C_LOCAL_HITM));
	c2c_stats_count(&s, C2C_BIT(C2C_LOADS) | C2C_BIT(C2C_LOCAL_DRAM) |
				    C2C_BIT(C2C_REMOTE_DRAM) | C2C_BIT(C2C_LOAD_SHARED));
	c2c_stats_count(&s, C2C_BIT(C2C_STORES) | C2C_BIT(C2C_STORE_NA));
	assert_int_equal(c2c_llc_misses(&s), 2);
	assert_int_equal(c2c_total_loads(&s), 3);
	assert_int_equal(c2c_total_records(&s), 4);
	assert_int_equal(s.n[C2C_LOAD_SHARED], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_count_for_the_level_that_had_the_data),
		cmocka_unit_test(peers_answer_where_hardware_knows_no_hitm),
		cmocka_unit_test(remote_is_far_only_without_hops),
		cmocka_unit_test(stores_count_for_the_first_cache),
		cmocka_unit_test(what_lies_nowhere_is_told),
		cmocka_unit_test(sums_leave_out_what_has_no_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
