/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/env.h"
#include "tools/kmem/kmem-bpf.h"

static void addresses_of_a_bucket_fill_a_cache_line(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct bpf_kmem_bucket, slots), 64);
	assert_int_equal(sizeof(struct bpf_kmem_bucket) % 64, 0);
}

static void tasks_cannot_be_followed_without_tracefs(void **state)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nowhere", "/nowhere/t");
	_cleanup_(diag_done) struct diag diag = { 0 };
	const pid_t tids[] = { 1 };
	const struct bpf_kmem_request rq = {
		.env = env,
		.targets = { .tids = tids, .n_tids = 1, .cgroup_fd = -1 },
		.slab = true,
	};
	struct bpf_kmem *k = NULL;

	(void)state;
	assert_true(bpf_kmem_begin(&rq, &k, &diag) < 0);
	assert_null(k);
	assert_non_null(diag.message);
}

static void nothing_is_released_twice(void **state)
{
	struct bpf_kmem_result r = { 0 };

	(void)state;
	bpf_kmem_result_done(&r);
	bpf_kmem_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_a_bucket_fill_a_cache_line),
		cmocka_unit_test(tasks_cannot_be_followed_without_tracefs),
		cmocka_unit_test(nothing_is_released_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
