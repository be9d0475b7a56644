/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "tools/bench/programs/futex.h"

static void measure(bool multi)
{
	const struct bench_futex_lock_pi_params p = {
		.common = { .threads = 2, .buckets = -1, .silent = multi },
		.seconds = 1,
		.multi = multi
	};
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	run_bench(bench_futex_lock_pi, &p, 1, &r);
	assert_int_equal(r.layout, BENCH_LAYOUT_RATES);
	assert_int_equal(r.rates.kind, BENCH_RATES_LOCK_PI);
	assert_int_equal(r.rates.pid, getpid());
	assert_int_equal(r.rates.objects, 1);
	assert_int_equal(r.rates.seconds, 1);
	assert_int_equal(r.rates.took_seconds, (uint64_t)r.seconds);
	assert_int_equal(r.rates.silent, multi);
	assert_int_equal(r.rates.buckets, -1);
	assert_int_equal(r.rates.n, 2);
	assert_int_equal(r.rates.items[0].first_addr == r.rates.items[1].first_addr, !multi);
	assert_int_equal(r.n, 1);
	assert_figure(&r.items[0], "ops/sec/thread", "ops/sec", BENCH_MORE, false);
	assert_true(r.items[0].value == r.rates.mean.mean);
	assert_int_equal(r.rates.mean.n, 2);
}

static void locks_are_taken(void **state)
{
	(void)state;
	measure(false);
	measure(true);
}

static void wrong_numbers_are_refused(void **state)
{
	struct bench_futex_lock_pi_params p = { .common = { .threads = 65537, .buckets = -1 },
						.seconds = 1 };

	(void)state;
	assert_bench_refuses(bench_futex_lock_pi, &p, -EINVAL, "--threads");
	p.common.threads = 1;
	p.seconds = 0;
	assert_bench_refuses(bench_futex_lock_pi, &p, -EINVAL, "--runtime");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locks_are_taken),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
