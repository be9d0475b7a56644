/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "tools/bench/programs/futex-call.h"
#include "tools/bench/programs/futex.h"

static void futexes_are_private_unless_they_are_shared(void **state)
{
	struct bench_futex_params p = { .buckets = -1 };

	(void)state;
	assert_int_equal(futex_flags(&p), FUTEX_PRIVATE_FLAG);
	p.shared = true;
	assert_int_equal(futex_flags(&p), 0);
	assert_int_equal(futex_buckets(&p), -1);
}

static void calls_do_what_they_are_called(void **state)
{
	uint32_t a = 5, b = 0;

	(void)state;
	for (int flags = 0; flags <= FUTEX_PRIVATE_FLAG; flags += FUTEX_PRIVATE_FLAG) {
		/* The value differs, so the call does not wait. */
		assert_int_equal(futex_wait_call(&a, 4, flags), -1);
		assert_int_equal(errno, EAGAIN);
		assert_int_equal(futex_wake_call(&a, 1, flags), 0);
		assert_int_equal(futex_requeue_call(&b, &a, 1, flags), 0);
		assert_int_equal(futex_requeue_call(&a, &b, 1, flags), -1);
		assert_int_equal(errno, EAGAIN);
		b = 0;
		assert_int_equal(futex_lock_pi_call(&b, flags), 0);
		assert_int_equal(b & FUTEX_TID_MASK, syscall(SYS_gettid));
		assert_int_equal(futex_lock_pi_call(&b, flags), -1);
		assert_int_equal(errno, EDEADLK);
		assert_int_equal(futex_unlock_pi_call(&b, flags), 0);
		assert_int_equal(b, 0);
	}
}

static void numbers_of_threads_are_limited(void **state)
{
	struct bench_futex_params p = { .threads = 65536, .buckets = -1 };
	_cleanup_(diag_done) struct diag d = { 0 };
	size_t n = 7;

	(void)state;
	assert_int_equal(futex_prepare(&p, &n, &d), 0);
	assert_int_equal(n, 65536);
	p.threads = 0;
	assert_int_equal(futex_prepare(&p, &n, &d), 0);
	assert_int_equal(n, bench_n_cpus());
	assert_null(d.message);
	n = 7;
	p.threads = 65537;
	assert_int_equal(futex_prepare(&p, &n, &d), -EINVAL);
	assert_non_null(strstr(d.message, "65536"));
	assert_int_equal(n, 7);
	futex_finish(&p);
}

/* Three is not a power of two; older kernels have no buckets. */
static void wrong_buckets_are_refused(void **state)
{
	struct bench_futex_params p = { .threads = 1, .buckets = 3 };
	_cleanup_(diag_done) struct diag d = { 0 };
	size_t n = 7;

	(void)state;
	assert_true(futex_prepare(&p, &n, &d) < 0);
	assert_non_null(strstr(d.message, "3 buckets"));
	assert_non_null(strstr(d.hint, "--buckets"));
	assert_int_equal(n, 7);
}

static void *pass(void *arg)
{
	bench_gate_pass(arg);
	return NULL;
}

static void sleepers_come_and_go(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_gate gate;
	struct futex_sleepers s = { .gate = &gate };

	(void)state;
	bench_gate_init(&gate, 3);
	assert_int_equal(futex_sleepers_start(&s, 3, pass, &gate, &d), 0);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.started, 3);
	futex_sleepers_settle(&s);
	assert_int_equal(gate.missing, 0);
	futex_sleepers_join(&s);
	assert_int_equal(s.started, 0);
	assert_null(s.threads);
	bench_gate_done(&gate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(futexes_are_private_unless_they_are_shared),
		cmocka_unit_test(calls_do_what_they_are_called),
		cmocka_unit_test(numbers_of_threads_are_limited),
		cmocka_unit_test(wrong_buckets_are_refused),
		cmocka_unit_test(sleepers_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
