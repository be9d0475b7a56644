/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "tools/bench/programs/syscall.h"

static const struct {
	bench_fn *fn;
	const char *name;
} calls[] = {
	{ bench_syscall_basic, "getppid" },
	{ bench_syscall_getpgid, "getpgid" },
	{ bench_syscall_fork, "fork" },
	{ bench_syscall_execve, "execve" },
};

static void each_call_is_named_and_counted(void **state)
{
	const struct bench_syscall_params p = { .loops = 3 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };

		run_bench(calls[i].fn, &p, 1, &r);
		assert_int_equal(r.n, 3);
		assert_figures_of_ops(&r, 3);
		assert_int_equal(r.ops.kind, BENCH_OPS_SYSCALL);
		assert_int_equal(r.ops.loops, 3);
		assert_string_equal(r.ops.syscall, calls[i].name);
	}
	/* All children were waited for. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void no_loop_is_refused(void **state)
{
	const struct bench_syscall_params p = { .loops = 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		assert_bench_refuses(calls[i].fn, &p, -EINVAL, "--loop");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_call_is_named_and_counted),
		cmocka_unit_test(no_loop_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
