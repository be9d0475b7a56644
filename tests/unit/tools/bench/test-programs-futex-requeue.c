/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "tools/bench/programs/futex.h"

static void measure(struct bench_futex_requeue_params p, unsigned at_a_time)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	p.common.threads = 3;
	p.common.buckets = -1;
	run_bench(bench_futex_requeue, &p, 2, &r);
	assert_int_equal(r.layout, BENCH_LAYOUT_RUNS);
	assert_int_equal(r.runs.kind, BENCH_RUNS_REQUEUE);
	assert_int_equal(r.runs.pid, getpid());
	assert_int_equal(r.runs.threads, 3);
	assert_int_equal(r.runs.at_a_time, at_a_time);
	assert_int_equal(r.runs.pi, p.pi);
	assert_int_equal(r.runs.shared, p.common.shared);
	assert_int_equal(r.runs.silent, p.common.silent);
	assert_int_equal(r.runs.second_addr - r.runs.addr, sizeof(uint32_t));
	assert_int_equal(r.runs.buckets, -1);
	assert_int_equal(r.runs.n, 2);
	assert_int_equal(r.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct bench_one_run *run = &r.runs.items[i];

		assert_int_equal(run->woken + run->requeued, 3);
		assert_true(p.pi || !run->woken);
		assert_true(!p.pi || run->woken);
		assert_figure(&r.items[i], "time", "ms", BENCH_LESS, false);
	}
	assert_true(r.runs.done.mean == 3);
}

static void all_threads_are_moved(void **state)
{
	(void)state;
	measure((struct bench_futex_requeue_params){ .at_a_time = 1 }, 1);
	measure((struct bench_futex_requeue_params){ .at_a_time = 2, .common.shared = true }, 2);
	measure((struct bench_futex_requeue_params){ .at_a_time = 9, .common.silent = true }, 3);
	measure((struct bench_futex_requeue_params){ .at_a_time = 1, .broadcast = true }, 3);
	measure((struct bench_futex_requeue_params){ .at_a_time = 2, .pi = true }, 2);
}

static void wrong_numbers_are_refused(void **state)
{
	struct bench_futex_requeue_params p = { .common = { .threads = 3, .buckets = -1 } };

	(void)state;
	assert_bench_refuses(bench_futex_requeue, &p, -EINVAL, "--nrequeue");
	p.at_a_time = (uint64_t)INT32_MAX + 1;
	assert_bench_refuses(bench_futex_requeue, &p, -EINVAL, "--nrequeue");
	p.at_a_time = 1;
	p.common.threads = 65537;
	assert_bench_refuses(bench_futex_requeue, &p, -EINVAL, "--threads");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_threads_are_moved),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
