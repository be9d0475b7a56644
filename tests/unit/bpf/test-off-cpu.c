/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>

#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/off-cpu.h"
#include "skip.h"

static int ignore(void *arg, const struct off_cpu_time *t)
{
	(void)arg, (void)t;
	return 0;
}

/* The request is refused before the kernel is asked, and by a build without BPF too. */
static void more_cgroups_than_programs_look_for_are_refused(void **state)
{
	const int fds[OFF_CPU_CGROUPS_MAX + 1] = { 0 };
	const struct bpf_off_cpu_request rq = { .targets.cgroup_fd = -1,
						.cgroup_fds = fds,
						.n_cgroup_fds = OFF_CPU_CGROUPS_MAX + 1 };
	struct bpf_off_cpu *o = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_true(bpf_off_cpu_open(&rq, ignore, NULL, &o, &diag) < 0);
	assert_null(o);
	assert_non_null(diag.message);
	diag_done(&diag);
}

static void the_object_has_what_both_sides_agree_on(void **state)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	if (!HAVE_BPF)
		skip_because("built without BPF");
	assert_int_equal(bpf_module_open(&bpf_image_off_cpu, &m, &diag), 0);
	assert_non_null(bpf_module_constants(m, sizeof(struct off_cpu_constants)));
	assert_int_equal(bpf_module_size(m, "sums", 10), 0);
	assert_int_equal(bpf_module_want(m, "off_cpu_switch"), 0);
	bpf_module_free(m);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_cgroups_than_programs_look_for_are_refused),
		cmocka_unit_test(the_object_has_what_both_sides_agree_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
