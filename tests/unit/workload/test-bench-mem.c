/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "workload/bench/mem.h"
#include "workload/bench/result.h"

static void sizes_have_units(void **state)
{
	uint64_t n = 0;

	(void)state;
	assert_int_equal(bench_size_parse("12", &n), 0);
	assert_int_equal(n, 12);
	assert_int_equal(bench_size_parse("4kb", &n), 0);
	assert_int_equal(n, 4096);
	assert_int_equal(bench_size_parse("1MB", &n), 0);
	assert_int_equal(n, 1 << 20);
	assert_int_equal(bench_size_parse("2G", &n), 0);
	assert_int_equal(n, 2ULL << 30);
	assert_int_equal(bench_size_parse("3TB", &n), 0);
	assert_int_equal(n, 3ULL << 40);
}

static void other_sizes_are_refused(void **state)
{
	uint64_t n = 7;

	(void)state;
	assert_int_equal(bench_size_parse("", &n), -EINVAL);
	assert_int_equal(bench_size_parse("0", &n), -EINVAL);
	assert_int_equal(bench_size_parse("-1MB", &n), -EINVAL);
	assert_int_equal(bench_size_parse("MB", &n), -EINVAL);
	assert_int_equal(bench_size_parse("1PB", &n), -EINVAL);
	assert_int_equal(bench_size_parse("1MBB", &n), -EINVAL);
	assert_int_equal(bench_size_parse("99999999999999999999", &n), -ERANGE);
	assert_int_equal(bench_size_parse("99999999999TB", &n), -ERANGE);
	assert_int_equal(n, 7);
}

static const struct bench_mem_params small = {
	.size = "64KB", .chunk = "10KB", .page = "4KB", .function = "all", .loops = 3, .threads = 2
};

static void each_function_has_a_row_and_a_figure(void **state)
{
	static bench_fn *const benchmarks[] = { bench_mem_memcpy, bench_mem_memset,
						bench_mem_mmap };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(benchmarks); i++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };

		assert_int_equal(benchmarks[i](&small, 1, &r, &d), 0);
		assert_true(r.mem.n >= 1);
		assert_int_equal(r.n, r.mem.n);
		for (size_t k = 0; k < r.n; k++)
			assert_true(r.items[k].value > 0);
	}
}

static void wrong_parameters_are_named(void **state)
{
	struct bench_mem_params wrong[] = { small, small, small, small, small };
	static const char *const words[] = { "--size", "--page", "--chunk", "nosuch",
					     "--nr_loops" };

	(void)state;
	wrong[0].size = "x";
	wrong[1].page = "8KB";
	wrong[2].chunk = "1MB";
	wrong[3].function = "nosuch";
	wrong[4].loops = 0;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };

		assert_int_equal(bench_mem_memcpy(&wrong[i], 1, &r, &d), -EINVAL);
		assert_non_null(strstr(d.message, words[i]));
	}
}

static void bits_are_found_both_ways(void **state)
{
	const struct bench_find_bit_params p = { .outer = 1, .inner = 1 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(bench_mem_find_bit(&p, 1, &r, &d), 0);
	/* 1 to 2048 bits, of which 1 to all are set: 1 + 2 + ... + 12 rows. */
	assert_int_equal(r.lines.n, 3 * 78);
	assert_int_equal(r.n, 2 * 78);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(other_sizes_are_refused),
		cmocka_unit_test(each_function_has_a_row_and_a_figure),
		cmocka_unit_test(wrong_parameters_are_named),
		cmocka_unit_test(bits_are_found_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
