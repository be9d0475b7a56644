/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "tools/bench/programs/futex.h"

static void threads_count_their_futexes(void **state)
{
	const struct bench_futex_hash_params p = { .common = { .threads = 2, .buckets = -1 },
						   .futexes = 3,
						   .seconds = 1 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_futex_hash, &p, 1, &r);
	assert_int_equal(r.layout, BENCH_LAYOUT_RATES);
	assert_int_equal(r.rates.kind, BENCH_RATES_FUTEX_HASH);
	assert_int_equal(r.rates.pid, getpid());
	assert_int_equal(r.rates.objects, 3);
	assert_int_equal(r.rates.seconds, 1);
	assert_int_equal(r.rates.took_seconds, (uint64_t)r.seconds);
	assert_true(r.seconds >= 1);
	assert_false(r.rates.shared);
	assert_int_equal(r.rates.buckets, -1);
	assert_int_equal(r.rates.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(r.rates.items[i].ops > 0);
		assert_int_equal(r.rates.items[i].last_addr - r.rates.items[i].first_addr,
				 2 * sizeof(uint32_t));
	}
	assert_int_equal(r.n, 1);
	assert_figure(&r.items[0], "ops/sec/thread", "ops/sec", BENCH_MORE, false);
	assert_true(r.items[0].value == r.rates.mean.mean);
	assert_int_equal(r.rates.mean.n, 2);
}

static void wrong_numbers_are_refused(void **state)
{
	struct bench_futex_hash_params p = { .common = { .threads = 1, .buckets = -1 },
					     .seconds = 1 };

	(void)state;
	assert_bench_refuses(bench_futex_hash, &p, -EINVAL, "--futexes");
	p.futexes = (1 << 24) + 1;
	assert_bench_refuses(bench_futex_hash, &p, -EINVAL, "16777216");
	p.futexes = 1;
	p.seconds = 0;
	assert_bench_refuses(bench_futex_hash, &p, -EINVAL, "--runtime");
	p.seconds = 1000001;
	assert_bench_refuses(bench_futex_hash, &p, -EINVAL, "1000000");
	p.seconds = 1;
	p.common.threads = 65537;
	assert_bench_refuses(bench_futex_hash, &p, -EINVAL, "--threads");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_count_their_futexes),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
