/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "event/env.h"
#include "tools/trace/summary-bpf.h"

/* Checks that the request is refused before the kernel is asked, and by a build without BPF too. */
static void refused(struct bpf_trace_summary_request rq)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nowhere", "/nowhere/t");
	struct bpf_trace_summary *s = NULL;
	struct diag diag = { 0 };

	rq.env = env;
	rq.targets.cgroup_fd = -1;
	assert_int_equal(bpf_trace_summary_begin(&rq, &s, &diag), -EOPNOTSUPP);
	assert_null(s);
	assert_non_null(diag.message);
	diag_done(&diag);
}

static void too_many_excluded_processes_are_refused(void **state)
{
	pid_t pids[100] = { 0 };

	(void)state;
	refused((struct bpf_trace_summary_request){ .excluded = pids, .n_excluded = 100 });
}

static void cpus_beyond_those_of_any_kernel_are_refused(void **state)
{
	unsigned cpu = 100000;
	struct cpu_list cpus = { .items = &cpu, .n = 1 };

	(void)state;
	refused((struct bpf_trace_summary_request){ .targets = { .cpus = &cpus } });
}

static void nothing_is_freed_without_harm(void **state)
{
	(void)state;
	bpf_trace_summary_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_excluded_processes_are_refused),
		cmocka_unit_test(cpus_beyond_those_of_any_kernel_are_refused),
		cmocka_unit_test(nothing_is_freed_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
