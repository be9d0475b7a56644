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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_numbers_survive),
		cmocka_unit_test(a_flag_has_no_payload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
