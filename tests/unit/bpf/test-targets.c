/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/program-types.h"
#include "bpf/targets.h"
#include "event/env.h"

#if HAVE_BPF

static int prepare(const struct bpf_targets *t, struct program_targets *ret, struct diag *diag)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nowhere",
									 "/nowhere/tracing");
	_cleanup_(bpf_module_freep) struct bpf_module *m = NULL;

	*ret = (struct program_targets){ 0 };
	assert_int_equal(bpf_module_open(&bpf_image_hist, &m, diag), 0);
	return bpf_targets_prepare(t, env, m, ret, diag);
}

static void everybody_is_no_limit(void **state)
{
	struct program_targets got;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(prepare(&(struct bpf_targets){ .cgroup_fd = -1 }, &got, &diag), 0);
	assert_false(got.limits_tasks || got.limits_cpus || got.limits_cgroup);
}

static void cpus_are_bits(void **state)
{
	uint32_t numbers[] = { 1, 64, 8191 };
	const struct cpu_list cpus = { .items = numbers, .n = 3 };
	struct program_targets got;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(
		prepare(&(struct bpf_targets){ .cpus = &cpus, .cgroup_fd = 0 }, &got, &diag), 0);
	assert_true(got.limits_cpus && got.limits_cgroup);
	assert_int_equal(got.cpus[0], 2);
	assert_int_equal(got.cpus[1], 1);
	assert_true(got.cpus[127] == UINT64_C(1) << 63);
	numbers[2] = 8192;
	assert_int_equal(
		prepare(&(struct bpf_targets){ .cpus = &cpus, .cgroup_fd = -1 }, &got, &diag),
		-EOPNOTSUPP);
	diag_done(&diag);
}

static void tasks_cannot_be_followed_without_tracefs(void **state)
{
	const pid_t self[] = { 1 };
	struct program_targets got;
	struct diag diag = { 0 };

	(void)state;
	assert_true(prepare(&(struct bpf_targets){ .tids = self, .n_tids = 1, .cgroup_fd = -1 },
			    &got, &diag) < 0);
	assert_non_null(diag.message);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_is_no_limit),
		cmocka_unit_test(cpus_are_bits),
		cmocka_unit_test(tasks_cannot_be_followed_without_tracefs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	puts("1..0 # SKIP this build has no BPF programs");
	return 0;
}

#endif
