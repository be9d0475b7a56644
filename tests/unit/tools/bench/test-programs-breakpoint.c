/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "left-behind.h"
#include "tools/bench/programs/breakpoint.h"

/* Runs a benchmark, and skips the test if there are no breakpoints here. */
static void run_or_skip(bench_fn *fn, const void *params, unsigned repeat, struct bench_result *r)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	if (fn(params, repeat, r, &d) < 0) {
		assert_non_null(strstr(d.message, "breakpoint 1 cannot be set"));
		assert_non_null(d.hint);
		assert_int_equal(r->n, 0);
		print_message("# %s\n", d.message);
		/* skip() does not return, so the cleanups do not run. */
		diag_done(&d);
		skip();
	}
}

static void threads_without_breakpoints(void **state)
{
	const struct bench_breakpoint_thread_params p = { .parallelism = 2, .threads = 3 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_breakpoint_thread, &p, 4, &r);
	assert_figures_of_ops(&r, 12);
	assert_int_equal(r.ops.kind, BENCH_OPS_BREAKPOINT_THREAD);
	assert_int_equal(r.ops.loops, 4);
	assert_true(r.ops.ops == 12);
	assert_int_equal(r.ops.breakpoints, 0);
	assert_int_equal(r.ops.parallelism, 2);
	assert_int_equal(r.n, 4);
	assert_figure(&r.items[3], "usecs/op/cpu", "usecs", BENCH_LESS, false);
	assert_true(r.items[3].value == r.items[0].value * 2);
}

static void threads_with_a_breakpoint(void **state)
{
	const struct bench_breakpoint_thread_params p = { .breakpoints = 1,
							  .parallelism = 1,
							  .threads = 2 };
	const struct left_behind before = left_behind_now();
	struct bench_result r = { 0 };

	(void)state;
	run_or_skip(bench_breakpoint_thread, &p, 1, &r);
	assert_int_equal(r.ops.breakpoints, 1);
	bench_result_done(&r);
	assert_nothing_more_than(&before);
}

static void a_breakpoint_is_switched(void **state)
{
	const struct bench_breakpoint_enable_params p = { .passive = 2, .active = 1 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_or_skip(bench_breakpoint_enable, &p, 3, &r);
	assert_int_equal(r.n, 3);
	assert_figures_of_ops(&r, 3);
	assert_int_equal(r.ops.kind, BENCH_OPS_BREAKPOINT_ENABLE);
	assert_int_equal(r.ops.loops, 3);
	assert_int_equal(r.ops.passive, 2);
	assert_int_equal(r.ops.active, 1);
}

static void wrong_numbers_are_refused(void **state)
{
	const struct bench_breakpoint_thread_params good = { .parallelism = 1, .threads = 1 };
	struct bench_breakpoint_thread_params p = good;
	struct bench_breakpoint_enable_params e = { .passive = 65537 };

	(void)state;
	p.breakpoints = 1025;
	assert_bench_refuses(bench_breakpoint_thread, &p, -EINVAL, "-b is at most 1024");
	p = good;
	p.parallelism = 0;
	assert_bench_refuses(bench_breakpoint_thread, &p, -EINVAL, "-p and -t");
	p.parallelism = 65537;
	assert_bench_refuses(bench_breakpoint_thread, &p, -EINVAL, "65536");
	p = good;
	p.threads = 0;
	assert_bench_refuses(bench_breakpoint_thread, &p, -EINVAL, "-p and -t");
	p.threads = 65537;
	assert_bench_refuses(bench_breakpoint_thread, &p, -EINVAL, "65536");
	assert_bench_refuses(bench_breakpoint_enable, &e, -EINVAL, "-p and -a");
	e = (struct bench_breakpoint_enable_params){ .active = 65537 };
	assert_bench_refuses(bench_breakpoint_enable, &e, -EINVAL, "65536");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_without_breakpoints),
		cmocka_unit_test(threads_with_a_breakpoint),
		cmocka_unit_test(a_breakpoint_is_switched),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
