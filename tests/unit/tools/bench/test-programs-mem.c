/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/bench/programs/mem.h"
#include "tools/bench/programs/result.h"

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

static void numbers_stand_behind_the_texts(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_mem_params p = small;
	struct bench_mem_sizes s;

	(void)state;
	assert_int_equal(bench_mem_sizes_parse(&p, &s, &d), 0);
	assert_int_equal(s.size, 65536);
	assert_int_equal(s.chunk, 10240);
	assert_int_equal(s.page, 4096);
	assert_int_equal(s.map_flags, 0);
	p.chunk = "0";
	assert_int_equal(bench_mem_sizes_parse(&p, &s, &d), 0);
	assert_int_equal(s.chunk, 65536);
	p.chunk = "64KB";
	assert_int_equal(bench_mem_sizes_parse(&p, &s, &d), 0);
	p.chunk = NULL;
	p.page = "2MB";
	assert_int_equal(bench_mem_sizes_parse(&p, &s, &d), 0);
	assert_int_equal(s.chunk, 65536);
	assert_int_equal(s.page, 2 << 20);
	assert_int_equal(s.map_flags, MAP_HUGETLB | 21 << MAP_HUGE_SHIFT);
	p.page = "1GB";
	assert_int_equal(bench_mem_sizes_parse(&p, &s, &d), 0);
	assert_int_equal(s.map_flags, MAP_HUGETLB | 30 << MAP_HUGE_SHIFT);
	p.page = NULL;
	assert_int_equal(bench_mem_sizes_parse(&p, &s, &d), 0);
	assert_int_equal(s.page, 0);
}

static int refused(struct bench_mem_params p, const char *word, const char *hint)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_mem_sizes s = { .size = 77 };
	int r = bench_mem_sizes_parse(&p, &s, &d);

	assert_int_equal(s.size, 77);
	assert_non_null(strstr(d.message, word));
	if (hint)
		assert_non_null(strstr(d.hint, hint));
	return r;
}

static void sizes_that_cannot_be_are_explained(void **state)
{
	struct bench_mem_params p = small;

	(void)state;
	p.size = "99999999999TB";
	assert_int_equal(refused(p, "--size is more than memory", NULL), -ERANGE);
	p.size = "16000000TB";
	assert_int_equal(refused(p, "no memory for a size of 16000000TB", "free -h"), -ENOMEM);
	p.page = "2MB";
	assert_int_equal(refused(p, "no memory", "hugepages-2048kB"), -ENOMEM);
	p = small;
	p.chunk = "65537";
	assert_int_equal(refused(p, "--chunk (65537) is larger than --size (64KB)", NULL), -EINVAL);
}

static void functions_are_found_by_name(void **state)
{
	static const struct bench_mem_function functions[] = { { "one", "" },
							       { "three", "" },
							       { NULL, NULL } };
	_cleanup_(diag_done) struct diag d = { 0 };
	int i = 7;

	(void)state;
	assert_int_equal(bench_mem_function_find(functions, "all", &i, &d), 0);
	assert_int_equal(i, -1);
	assert_int_equal(bench_mem_function_find(functions, "one", &i, &d), 0);
	assert_int_equal(i, 0);
	assert_int_equal(bench_mem_function_find(functions, "three", &i, &d), 0);
	assert_int_equal(i, 1);
	assert_null(d.message);
	assert_int_equal(bench_mem_function_find(functions, "thre", &i, &d), -EINVAL);
	assert_int_equal(i, -1);
	assert_non_null(strstr(d.message, "'thre'"));
	assert_non_null(strstr(d.hint, "Did you mean"));
	assert_non_null(strstr(d.hint, "There are: one, three, all"));
}

static void a_clock_counts_seconds_or_says_why_not_cycles(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_clock c;
	double begin;

	(void)state;
	assert_int_equal(bench_clock_open(&c, false, &d), 0);
	assert_int_equal(c.fd, -1);
	begin = bench_clock_read(&c);
	assert_true(bench_clock_read(&c) >= begin);
	bench_clock_close(&c);
	if (bench_clock_open(&c, true, &d) < 0) {
		assert_int_equal(c.fd, -1);
		assert_non_null(strstr(d.message, "(-c)"));
		assert_non_null(d.hint);
	} else {
		begin = bench_clock_read(&c);
		assert_true(bench_clock_read(&c) > begin);
		bench_clock_close(&c);
	}
}

static void count_lines(void *arg, struct bench_result *r)
{
	unsigned *n = arg;

	assert_int_equal(r->layout, BENCH_LAYOUT_LINES);
	assert_true(r->lines.n > r->lines.shown);
	r->lines.shown = r->lines.n;
	++*n;
}

static void searching_bits_tells_each_result_at_once(void **state)
{
	const struct bench_find_bit_params p = { .outer = 1, .inner = 1 };
	unsigned n = 0;
	_cleanup_(bench_result_done) struct bench_result r = { .on_lines = count_lines, .arg = &n };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(bench_mem_find_bit(&p, 1, &r, &d), 0);
	assert_int_equal(n * 3, r.lines.n);
	assert_true(n > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(other_sizes_are_refused),
		cmocka_unit_test(each_function_has_a_row_and_a_figure),
		cmocka_unit_test(wrong_parameters_are_named),
		cmocka_unit_test(numbers_stand_behind_the_texts),
		cmocka_unit_test(sizes_that_cannot_be_are_explained),
		cmocka_unit_test(functions_are_found_by_name),
		cmocka_unit_test(a_clock_counts_seconds_or_says_why_not_cycles),
		cmocka_unit_test(bits_are_found_both_ways),
		cmocka_unit_test(searching_bits_tells_each_result_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
