/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <sys/wait.h>

#include "tools/bench/programs/sched.h"

static void calls_are_answered(void **state)
{
	const struct bench_seccomp_params p = { .loops = 3 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	if (bench_sched_seccomp_notify(&p, 1, &r, &d) < 0) {
		assert_non_null(strstr(d.message, "seccomp"));
		print_message("# no filter can be installed here: %s\n", d.message);
		/* It does not return: nothing is cleaned up. */
		diag_done(&d);
		skip();
	}
	assert_int_equal(r.n, 3);
	assert_figures_of_ops(&r, 3);
	assert_int_equal(r.ops.kind, BENCH_OPS_SECCOMP);
	assert_int_equal(r.ops.loops, 3);
	/* The process that answered has ended, and this one has no filter. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void no_loop_is_refused(void **state)
{
	const struct bench_seccomp_params p = { .loops = 0 };

	(void)state;
	assert_bench_refuses(bench_sched_seccomp_notify, &p, -EINVAL, "--loop");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_answered),
		cmocka_unit_test(no_loop_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
