/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "left-behind.h"
#include "tools/bench/programs/epoll.h"

static void measure(bench_fn *fn, const struct bench_epoll_params *p, struct bench_result *r)
{
	const struct left_behind before = left_behind_now();

	run_bench(fn, p, 1, r);
	assert_int_equal(r->layout, BENCH_LAYOUT_RATES);
	assert_int_equal(r->rates.pid, getpid());
	assert_int_equal(r->rates.objects, p->files);
	assert_int_equal(r->rates.seconds, 1);
	assert_int_equal(r->rates.took_seconds, (uint64_t)r->seconds);
	assert_int_equal(r->rates.n, p->threads);
	assert_int_equal(r->rates.oneshot, p->oneshot);
	assert_int_equal(r->rates.multiq, p->multiq);
	assert_int_equal(r->rates.nonblocking, p->nonblocking);
	assert_int_equal(r->rates.random, p->random);
	assert_int_equal(r->rates.verbose, p->verbose);
	assert_int_equal(r->rates.nested, p->nested);
	assert_int_equal(r->rates.buckets, -1);
	for (size_t i = 0; i < r->rates.n; i++)
		assert_int_equal(r->rates.items[i].last_addr - r->rates.items[i].first_addr,
				 (p->files - 1) * sizeof(int));
	assert_nothing_more_than(&before);
}

static void threads_wait_for_what_one_writes(void **state)
{
	static const struct bench_epoll_params ways[] = {
		{ .threads = 2, .seconds = 1, .files = 3 },
		{ .threads = 2,
		  .seconds = 1,
		  .files = 3,
		  .multiq = true,
		  .oneshot = true,
		  .random = true,
		  .unbound = true },
		{ .threads = 1,
		  .seconds = 1,
		  .files = 2,
		  .nested = 2,
		  .edge = true,
		  .nonblocking = true,
		  .verbose = true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };

		measure(bench_epoll_wait, &ways[i], &r);
		assert_int_equal(r.rates.kind, BENCH_RATES_EPOLL_WAIT);
		assert_true(r.rates.writer_loops > 0);
		assert_int_equal(r.n, 1);
		assert_figure(&r.items[0], "ops/sec/thread", "ops/sec", BENCH_MORE, false);
		assert_true(r.items[0].value == r.rates.mean.mean);
		assert_int_equal(r.rates.mean.n, ways[i].threads);
	}
}

static void each_change_is_counted(void **state)
{
	static const char *const names[] = { "add/sec/thread", "mod/sec/thread", "del/sec/thread" };
	const struct bench_epoll_params p = { .threads = 2, .seconds = 1, .files = 3 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	measure(bench_epoll_ctl, &p, &r);
	assert_int_equal(r.rates.kind, BENCH_RATES_EPOLL_CTL);
	assert_int_equal(r.n, 3);
	for (int op = 0; op < BENCH_CTL_OPS; op++) {
		assert_figure(&r.items[op], names[op], "ops/sec", BENCH_MORE, false);
		assert_true(r.items[op].value == r.rates.ctl[op].mean / r.seconds);
	}
	/* Each file was added, changed and removed the same number of times. */
	for (size_t i = 0; i < 2; i++) {
		const uint64_t *ctl = r.rates.items[i].ctl;

		assert_int_equal(ctl[BENCH_CTL_ADD] % 3, 0);
		assert_int_equal(ctl[BENCH_CTL_ADD], ctl[BENCH_CTL_MOD]);
		assert_int_equal(ctl[BENCH_CTL_ADD], ctl[BENCH_CTL_DEL]);
	}
}

static void random_changes_are_some_of_each(void **state)
{
	const struct bench_epoll_params p = {
		.threads = 1, .seconds = 1, .files = 4, .random = true
	};
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	const uint64_t *ctl;

	(void)state;
	measure(bench_epoll_ctl, &p, &r);
	ctl = r.rates.items[0].ctl;
	/* Two of the four files were there before. */
	assert_true(ctl[BENCH_CTL_ADD] > 0 && ctl[BENCH_CTL_MOD] > 0 && ctl[BENCH_CTL_DEL] > 0);
	assert_true(ctl[BENCH_CTL_DEL] <= ctl[BENCH_CTL_ADD] + 2);
	assert_true(ctl[BENCH_CTL_ADD] <= ctl[BENCH_CTL_DEL] + 2);
}

static void wrong_numbers_are_refused(void **state)
{
	const struct bench_epoll_params good = { .threads = 1, .seconds = 1, .files = 1 };
	bench_fn *const fns[] = { bench_epoll_wait, bench_epoll_ctl };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench_epoll_params p = good;

		p.files = 0;
		assert_bench_refuses(fns[i], &p, -EINVAL, "--nfds");
		p.files = (1 << 20) + 1;
		assert_bench_refuses(fns[i], &p, -EINVAL, "1048576");
		p = good;
		p.threads = 65537;
		assert_bench_refuses(fns[i], &p, -EINVAL, "--threads is at most 65536");
		p = good;
		p.nested = 5;
		assert_bench_refuses(fns[i], &p, -EINVAL, "--nested is at most 4");
		p = good;
		p.seconds = 0;
		assert_bench_refuses(fns[i], &p, -EINVAL, "--runtime");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_wait_for_what_one_writes),
		cmocka_unit_test(each_change_is_counted),
		cmocka_unit_test(random_changes_are_some_of_each),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
