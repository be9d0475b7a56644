/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "measure/record-drains.h"
#include "measure/record-job.h"

/* Rings of CPU 0 and of CPU 1, which has two. */
static struct record_ring rings[] = { { .cpu = 0 }, { .cpu = 1 }, { .cpu = 1 } };

static struct record_job job(const struct record_request *rq)
{
	return (struct record_job){ .rq = rq, .rings = { rings, 3, 0 } };
}

static void one_drain_has_all_rings(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct record_request rq = { 0 };
	struct record_job j = job(&rq);

	assert_int_equal(record_drains_make(&j, &diag), 0);
	assert_int_equal(j.n_drains, 1);
	assert_int_equal(j.drains[0].n, 3);
	assert_int_equal(j.drains[0].part, 0);
	assert_true(j.drains[0].rounds);
	record_drains_done(&j);
}

static void each_cpu_may_have_a_thread(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct record_request rq = { .buffer.threads.kind = THREADS_PER_CPU };
	struct record_job j = job(&rq);

	assert_int_equal(record_drains_make(&j, &diag), 0);
	assert_int_equal(j.n_drains, 2);
	assert_int_equal(j.drains[0].n, 1);
	assert_int_equal(j.drains[1].n, 2);
	assert_int_equal(j.drains[1].part, 2);
	assert_false(j.drains[1].rounds);
	record_drains_done(&j);
}

static void a_list_says_who_empties_what(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	unsigned cpus[] = { 0, 1 };
	struct thread_mask mask = { .cpus = { cpus, 2, 0 }, .affinity = { cpus, 1, 0 } };
	struct record_request rq = { .buffer.threads = { THREADS_LISTED, &mask, 1, 0 } };
	struct record_job j = job(&rq);

	assert_int_equal(record_drains_make(&j, &diag), 0);
	assert_int_equal(j.n_drains, 1);
	assert_ptr_equal(j.drains[0].affinity, &mask.affinity);
	record_drains_done(&j);
	mask.cpus.n = 1;
	assert_int_equal(record_drains_make(&j, &diag), -EINVAL);
	assert_string_equal(diag.message, "--threads leaves out CPU 1, which is recorded");
	record_drains_done(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_drain_has_all_rings),
		cmocka_unit_test(each_cpu_may_have_a_thread),
		cmocka_unit_test(a_list_says_who_empties_what),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
