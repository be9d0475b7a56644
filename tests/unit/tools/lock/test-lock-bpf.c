/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "tools/lock/lock-bpf.h"

/* Checks that the request is refused before the kernel is asked, and by a build without BPF too. */
static void refused(struct bpf_lock_request rq)
{
	struct bpf_lock *l = NULL;
	struct diag diag = { 0 };

	rq.targets.cgroup_fd = -1;
	assert_true(bpf_lock_begin(&rq, &l, &diag) < 0);
	assert_null(l);
	assert_non_null(diag.message);
	diag_done(&diag);
}

static void more_locks_than_programs_look_for_are_refused(void **state)
{
	uint64_t addrs[BPF_LOCK_ADDRS_MAX + 1] = { 0 };

	(void)state;
	refused((struct bpf_lock_request){ .addrs = addrs, .n_addrs = BPF_LOCK_ADDRS_MAX + 1 });
}

static void more_cgroups_than_programs_look_for_are_refused(void **state)
{
	int fds[BPF_LOCK_CGROUPS_MAX + 1] = { 0 };

	(void)state;
	refused((struct bpf_lock_request){ .cgroup_fds = fds,
					   .n_cgroup_fds = BPF_LOCK_CGROUPS_MAX + 1 });
}

static void cpus_beyond_those_of_any_kernel_are_refused(void **state)
{
	unsigned cpu = 100000;
	struct cpu_list cpus = { .items = &cpu, .n = 1 };

	(void)state;
	refused((struct bpf_lock_request){ .targets = { .cpus = &cpus } });
}

static void both_sides_have_the_same_constants(void **state)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	if (bpf_module_open(&bpf_image_lock, &m, &diag) < 0) {
		assert_false(HAVE_BPF);
		diag_done(&diag);
		return;
	}
	assert_non_null(bpf_module_constants(m, sizeof(struct bpf_lock_constants)));
	bpf_module_free(m);
}

static void nothing_is_freed_without_harm(void **state)
{
	(void)state;
	bpf_lock_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_locks_than_programs_look_for_are_refused),
		cmocka_unit_test(more_cgroups_than_programs_look_for_are_refused),
		cmocka_unit_test(cpus_beyond_those_of_any_kernel_are_refused),
		cmocka_unit_test(both_sides_have_the_same_constants),
		cmocka_unit_test(nothing_is_freed_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
