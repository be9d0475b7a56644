/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include "benches.h"

/* The touched pages are never shown, so the test includes the internal functions. */
#include "tools/bench/programs/mem-mmap.c"

static const struct bench_mem_params small = {
	.size = "10KB", .page = "4KB", .function = "all", .loops = 2, .threads = 2
};

static void both_ways_have_rows(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 2; seed++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };
		struct bench_mem_params p = small;

		p.seed = seed;
		run_bench(bench_mem_mmap, &p, 1, &r);
		assert_int_equal(r.layout, BENCH_LAYOUT_MEM);
		assert_string_equal(r.mem.size, "10KB");
		assert_int_equal(r.mem.threads, 2);
		assert_int_equal(r.mem.n, 2);
		assert_int_equal(r.n, 2);
		assert_string_equal(r.mem.items[0].function, "demand");
		assert_string_equal(r.mem.items[1].function, "populate");
		assert_figure(&r.items[0], "demand", "B/sec", BENCH_MORE, false);
		assert_figure(&r.items[1], "populate", "B/sec", BENCH_MORE, false);
	}
}

static void one_way_has_one_row(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	struct bench_mem_params p = small;

	(void)state;
	p.function = "populate";
	p.threads = 1;
	run_bench(bench_mem_mmap, &p, 1, &r);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.items[0].name, "populate");
	assert_true(r.mem.items[0].noise == 0);
}

static void wrong_parameters_are_refused(void **state)
{
	struct bench_mem_params p = small;

	(void)state;
	p.threads = 0;
	assert_bench_refuses(bench_mem_mmap, &p, -EINVAL, "--threads");
	p.threads = 65537;
	assert_bench_refuses(bench_mem_mmap, &p, -EINVAL, "65536");
	p = small;
	p.function = "memcpy";
	assert_bench_refuses(bench_mem_mmap, &p, -EINVAL, "memcpy");
	p = small;
	p.page = "3KB";
	assert_bench_refuses(bench_mem_mmap, &p, -EINVAL, "--page");
}

static void numbers_at_random_are_those_of_the_seed(void **state)
{
	uint64_t s = 1;

	(void)state;
	/* Xorshift by 13, 7 and 17. */
	assert_true(bench_mem_mmap_next_random(&s) == 0x40822041);
	assert_true(bench_mem_mmap_next_random(&s) == 0x100041060c011441);
}

static void each_page_is_touched(void **state)
{
	struct bench_mem_params p = small;
	struct bench_mem_sizes s = { .size = 33, .page = 8 };
	const struct bench_mem_mmap_worker w = { .params = &p, .sizes = &s };
	uint64_t state_of = 1;
	char memory[64], expected[64];

	(void)state;
	memset(memory, 0x55, sizeof(memory));
	memset(expected, 0x55, sizeof(expected));
	for (char i = 0; i < 5; i++)
		expected[8 * i] = i;
	bench_mem_mmap_touch(memory, &w, &state_of);
	assert_memory_equal(memory, expected, sizeof(memory));
	assert_int_equal(state_of, 1);
	/* One page less, and no part of a page. */
	s.size = 32;
	memset(memory, 0x55, sizeof(memory));
	bench_mem_mmap_touch(memory, &w, &state_of);
	expected[32] = 0x55;
	assert_memory_equal(memory, expected, sizeof(memory));
	s.size = 33;
	/* With a seed, the same number of pages is touched at random. */
	p.seed = 1;
	memset(expected, 0x55, sizeof(expected));
	memset(memory, 0x55, sizeof(memory));
	for (uint64_t i = 0, at = 1; i < 5; i++)
		expected[8 * (bench_mem_mmap_next_random(&at) % 5)] = (char)i;
	bench_mem_mmap_touch(memory, &w, &state_of);
	assert_memory_equal(memory, expected, sizeof(memory));
}

static void memory_that_cannot_be_had_is_an_error(void **state)
{
	struct bench_mem_params p = small;
	struct bench_mem_sizes s = { .size = 10000, .page = 4096 };
	struct bench_mem_mmap_worker w = { .params = &p, .sizes = &s };
	uint64_t state_of = 0;

	(void)state;
	assert_int_equal(map_once(&w, &state_of), 0);
	w.populates = true;
	assert_int_equal(map_once(&w, &state_of), 0);
	s.size = UINT64_MAX / 2;
	assert_int_equal(map_once(&w, &state_of), -ENOMEM);
}

static void rates_of_threads_are_a_mean(void **state)
{
	struct bench_mem_params p = small;
	const struct bench_mem_sizes s = { .size = 10, .page = 4096 };
	struct bench_mem_mmap_worker w[2] = { { .params = &p, .sizes = &s, .spent = 2 },
					      { .params = &p, .sizes = &s, .spent = 4 } };
	_cleanup_(bench_result_done) struct bench_result r = { .layout = BENCH_LAYOUT_MEM };

	(void)state;
	p.loops = 4;
	assert_int_equal(bench_mem_mmap_collect(w, 2, &functions[0], &r, NULL), 0);
	assert_true(r.mem.items[0].rate == (20 + 10) / 2.0);
	assert_true(r.mem.items[0].noise > 0);
	p.cycles = true;
	assert_int_equal(bench_mem_mmap_collect(w, 1, &functions[1], &r, NULL), 0);
	assert_true(r.mem.items[1].rate == 2 / 40.0);
	assert_true(r.mem.items[1].by_cycles);
	assert_true(r.mem.items[1].noise == 0);
	assert_string_equal(r.mem.items[1].function, "populate");
}

/* The first error is reported: the thread's own message, or that there was no memory. */
static void the_first_error_of_a_thread_is_told(void **state)
{
	struct bench_mem_params p = small;
	const struct bench_mem_sizes s = { .size = 10, .page = 4096 };
	struct bench_mem_mmap_worker w[3] = { { .params = &p, .sizes = &s, .spent = 1 },
					      { .params = &p, .sizes = &s, .spent = 1 },
					      { .params = &p, .sizes = &s, .spent = 1 } };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	w[1].error = diag_set(&w[1].diag, -EPERM, "mine");
	w[2].error = diag_set(&w[2].diag, -EINVAL, "another");
	assert_int_equal(bench_mem_mmap_collect(w, 3, &functions[0], &r, &d), -EPERM);
	assert_string_equal(d.message, "mine");
	w[1].error = -ENOMEM;
	w[2].error = -EPERM;
	assert_int_equal(bench_mem_mmap_collect(w, 3, &functions[0], &r, &d), -ENOMEM);
	assert_non_null(strstr(d.message, "no memory for a size of 10KB"));
	assert_int_equal(r.n, 0);
}

static void a_rate_is_bytes_by_time(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	struct bench_mem_params p = small;
	double begin = bench_now();

	(void)state;
	p.threads = 1;
	run_bench(bench_mem_mmap, &p, 1, &r);
	assert_true(r.mem.items[0].rate >= 2 * 10240 / (bench_now() - begin));
}

static void threads_up_to_a_limit(void **state)
{
	struct bench_mem_params p = small;

	(void)state;
	p.threads = 65536;
	p.function = "x";
	assert_bench_refuses(bench_mem_mmap, &p, -EINVAL, "'x'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways_have_rows),
		cmocka_unit_test(one_way_has_one_row),
		cmocka_unit_test(wrong_parameters_are_refused),
		cmocka_unit_test(numbers_at_random_are_those_of_the_seed),
		cmocka_unit_test(each_page_is_touched),
		cmocka_unit_test(memory_that_cannot_be_had_is_an_error),
		cmocka_unit_test(rates_of_threads_are_a_mean),
		cmocka_unit_test(the_first_error_of_a_thread_is_told),
		cmocka_unit_test(a_rate_is_bytes_by_time),
		cmocka_unit_test(threads_up_to_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
