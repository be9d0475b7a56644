/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <stdio.h>

#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "tools/trace/bpf-types.h"

#if HAVE_BPF

/* The requirements on the kernel are tested live (tests/live/trace-bpf.sh). */
static void the_object_has_what_perf_asks_of_it(void **state)
{
	static const char *const programs[] = { "on_sys_enter", "on_sys_exit", "on_switch",
						"on_fork",      "on_exec",     "on_rename",
						"on_exit" };
	static const char *const maps[] = { "rings", "wakeups", "tasks", "cgroup", "tasks_lost" };
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(bpf_module_open(&bpf_image_trace, &m, &diag), 0);
	assert_non_null(bpf_module_constants(m, sizeof(struct trace_constants)));
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		assert_int_equal(bpf_module_want(m, programs[i]), 0);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		assert_int_equal(bpf_module_size(m, maps[i], 65536), 0);
	assert_int_equal(bpf_module_value_size(m, "rings", 1 << 20), 0);
	bpf_module_free(m);
}

/* The reader's side of a ring is in another cache line than the programs'. */
static void rings_are_laid_out_alike(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct trace_ring, tail), 128);
	assert_int_equal(offsetof(struct trace_ring, bytes), 256);
	assert_int_equal(sizeof(struct trace_record) % 8, 0);
	assert_int_equal(sizeof(struct trace_call_record) % 8, 0);
	assert_int_equal(sizeof(struct trace_task_record) % 8, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_object_has_what_perf_asks_of_it),
		cmocka_unit_test(rings_are_laid_out_alike),
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
