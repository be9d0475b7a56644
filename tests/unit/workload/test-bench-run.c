/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "workload/bench/epoll.h"
#include "workload/bench/futex.h"
#include "workload/bench/result.h"
#include "workload/bench/sched.h"
#include "workload/bench/syscall.h"

static void measure(bench_fn *fn, const void *params)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	if (fn(params, 2, &r, &d) < 0)
		fail_msg("%s", d.message);
	assert_true(r.n > 0);
	for (size_t i = 0; i < r.n; i++)
		assert_true(r.items[i].value > 0);
}

static void refuse(bench_fn *fn, const void *params, const char *word)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(fn(params, 2, &r, &d), -EINVAL);
	assert_non_null(strstr(d.message, word));
}

static void tasks_talk_to_each_other(void **state)
{
	struct bench_messaging_params m = { .groups = 1, .loops = 1 };
	struct bench_pipe_params p = { .loops = 3, .write_size = 4 };

	(void)state;
	measure(bench_sched_messaging, &m);
	m.pipe = m.threads = true;
	measure(bench_sched_messaging, &m);
	m.groups = 0;
	refuse(bench_sched_messaging, &m, "-g");
	measure(bench_sched_pipe, &p);
	p.threads = true;
	measure(bench_sched_pipe, &p);
	p.nonblocking = true;
	p.write_size = 65536;
	measure(bench_sched_pipe, &p);
	p.write_size = 65537;
	refuse(bench_sched_pipe, &p, "--write-size");
}

static void calls_are_counted(void **state)
{
	struct bench_syscall_params p = { .loops = 2 };

	(void)state;
	measure(bench_syscall_basic, &p);
	measure(bench_syscall_getpgid, &p);
	measure(bench_syscall_fork, &p);
	measure(bench_syscall_execve, &p);
	p.loops = 0;
	refuse(bench_syscall_basic, &p, "--loop");
}

static void threads_sleep_and_wake(void **state)
{
	struct bench_futex_wake_params wake = { .common = { .threads = 3, .buckets = -1 },
						.at_a_time = 2 };
	struct bench_futex_wake_parallel_params parallel = {
		.common = { .threads = 4, .buckets = -1 }, .wakers = 2
	};
	struct bench_futex_requeue_params requeue = { .common = { .threads = 3, .buckets = -1 },
						      .at_a_time = 2 };

	(void)state;
	measure(bench_futex_wake, &wake);
	measure(bench_futex_wake_parallel, &parallel);
	parallel.wakers = 3;
	refuse(bench_futex_wake_parallel, &parallel, "evenly");
	measure(bench_futex_requeue, &requeue);
	requeue.pi = true;
	measure(bench_futex_requeue, &requeue);
}

static void wrong_numbers_are_refused(void **state)
{
	struct bench_futex_hash_params hash = { .common.buckets = -1, .seconds = 1 };
	struct bench_epoll_params epoll = { .seconds = 0, .files = 1 };

	(void)state;
	refuse(bench_futex_hash, &hash, "--futexes");
	refuse(bench_epoll_wait, &epoll, "--runtime");
	epoll.nested = 5;
	refuse(bench_epoll_ctl, &epoll, "--nested");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_talk_to_each_other),
		cmocka_unit_test(calls_are_counted),
		cmocka_unit_test(threads_sleep_and_wake),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
