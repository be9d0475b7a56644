/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "tools/bench/programs/futex.h"

static void everybody_is_woken(void **state)
{
	const struct bench_futex_wake_params p = {
		.common = { .threads = 3, .buckets = -1, .silent = true }, .at_a_time = 2
	};
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_futex_wake, &p, 2, &r);
	assert_int_equal(r.layout, BENCH_LAYOUT_RUNS);
	assert_int_equal(r.runs.kind, BENCH_RUNS_WAKE);
	assert_int_equal(r.runs.pid, getpid());
	assert_int_equal(r.runs.threads, 3);
	assert_int_equal(r.runs.wakers, 0);
	assert_int_equal(r.runs.at_a_time, 2);
	assert_true(r.runs.addr != 0);
	assert_false(r.runs.shared);
	assert_true(r.runs.silent);
	assert_int_equal(r.runs.buckets, -1);
	assert_int_equal(r.runs.n, 2);
	assert_int_equal(r.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(r.runs.items[i].woken, 3);
		assert_figure(&r.items[i], "time", "ms", BENCH_LESS, false);
		assert_true(r.items[i].value == r.runs.items[i].ms);
	}
	assert_true(r.runs.done.mean == 3);
	assert_int_equal(r.runs.ms.n, 2);
}

static void several_wake_their_share(void **state)
{
	const struct bench_futex_wake_parallel_params p = {
		.common = { .threads = 4, .buckets = -1, .shared = true }, .wakers = 2
	};
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_futex_wake_parallel, &p, 1, &r);
	assert_int_equal(r.runs.kind, BENCH_RUNS_WAKE_PARALLEL);
	assert_int_equal(r.runs.threads, 4);
	assert_int_equal(r.runs.wakers, 2);
	assert_int_equal(r.runs.at_a_time, 2);
	assert_true(r.runs.shared);
	assert_false(r.runs.silent);
	assert_int_equal(r.n, 1);
	assert_figure(&r.items[0], "latency/thread", "ms", BENCH_LESS, false);
	/* Threads that came late were not woken by one of the wakers. */
	assert_true(r.runs.items[0].woken <= 4);
	assert_true(r.runs.done.mean == r.runs.items[0].woken / 2.0);
}

static void without_a_number_each_thread_has_a_waker(void **state)
{
	const struct bench_futex_wake_parallel_params p = { .common = { .threads = 3,
									.buckets = -1 } };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_futex_wake_parallel, &p, 1, &r);
	assert_int_equal(r.runs.wakers, 3);
	assert_int_equal(r.runs.at_a_time, 1);
}

static void without_a_number_each_cpu_has_a_thread(void **state)
{
	const struct bench_futex_wake_params p = { .common.buckets = -1, .at_a_time = 1 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_futex_wake, &p, 1, &r);
	assert_int_equal(r.runs.threads, bench_n_cpus());
}

static void wrong_numbers_are_refused(void **state)
{
	struct bench_futex_wake_params wake = { .common = { .threads = 3, .buckets = -1 } };
	struct bench_futex_wake_parallel_params p = { .common = { .threads = 4, .buckets = -1 },
						      .wakers = 3 };

	(void)state;
	assert_bench_refuses(bench_futex_wake, &wake, -EINVAL, "--nwakes");
	wake.at_a_time = (uint64_t)INT32_MAX + 1;
	assert_bench_refuses(bench_futex_wake, &wake, -EINVAL, "--nwakes");
	wake.at_a_time = 1;
	wake.common.threads = 65537;
	assert_bench_refuses(bench_futex_wake, &wake, -EINVAL, "--threads is at most 65536");
	assert_bench_refuses(bench_futex_wake_parallel, &p, -EINVAL, "4 threads");
	p.wakers = 8;
	assert_bench_refuses(bench_futex_wake_parallel, &p, -EINVAL, "evenly to 8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_is_woken),
		cmocka_unit_test(several_wake_their_share),
		cmocka_unit_test(without_a_number_each_thread_has_a_waker),
		cmocka_unit_test(without_a_number_each_cpu_has_a_thread),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
