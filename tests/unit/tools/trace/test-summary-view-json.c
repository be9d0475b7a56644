/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/summary-model.h"
#include "tools/trace/summary-view.h"
#include "tools/trace/tasks-model.h"
#include "view/printed.h"

static void add(struct trace_summary *s, struct trace_task *task, uint64_t ns, int64_t result)
{
	trace_summary_add(s, &(struct trace_call){ .task = task,
						   .abi = SYSCALL_ABI_X86_64,
						   .nr = 257,
						   .has_enter = true,
						   .enter_ns = 1,
						   .exit_ns = 1 + ns,
						   .result = result });
}

static void expect(enum trace_summary_mode mode, const struct trace_summary_style *style,
		   const char *wanted)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = trace_summary_new(mode);
	struct trace_task ls = { .tid = 29001, .comm = "l\"s\x1b", .cgroup = 3 };
	struct printed p;

	add(s, &ls, 12000, 3);
	add(s, &ls, 3000, -2);
	printed_open(&p);
	trace_summary_print(p.out, s, style);
	assert_printed(&p, wanted);
}

static void a_thread_is_an_object_on_a_line(void **state)
{
	(void)state;
	expect(TRACE_SUMMARY_THREAD, &(struct trace_summary_style){ .is_json = true },
	       "{\"summary\": \"thread\", \"comm\": \"l\\\"s\\u001b\", \"tid\": 29001, "
	       "\"events\": 4, \"calls\": [{\"syscall\": \"openat\", \"nr\": 257, "
	       "\"abi\": \"x86_64\", \"calls\": 2, \"errors\": 1, \"total_ns\": 15000, "
	       "\"min_ns\": 3000, \"mean_ns\": 7500.0, "
	       "\"max_ns\": 12000, \"stddev_percent\": 60.00, "
	       "\"errnos\": [{\"errno\": 2, \"error\": \"ENOENT\", \"count\": 1}]}]}\n");
}

static void run_time_and_histograms_are_there_on_request(void **state)
{
	(void)state;
	expect(TRACE_SUMMARY_TOTAL,
	       &(struct trace_summary_style){
		       .is_json = true, .shows_rows = true, .shows_runtime = true },
	       "{\"summary\": \"total\", \"events\": 4, \"runtime_ns\": 0, \"calls\": [{"
	       "\"syscall\": \"openat\", \"nr\": 257, \"abi\": \"x86_64\", \"calls\": 2, "
	       "\"errors\": 1, \"total_ns\": 15000, \"min_ns\": 3000, \"mean_ns\": 7500.0, "
	       "\"p50_ns\": 4095, \"p99_ns\": 11923, \"max_ns\": 12000, "
	       "\"stddev_percent\": 60.00, \"errnos\": [{\"errno\": 2, \"error\": \"ENOENT\", "
	       "\"count\": 1}], \"histogram\": [{\"first_ns\": 2048, \"last_ns\": 4095, "
	       "\"count\": 1}, {\"first_ns\": 8192, \"last_ns\": 16383, \"count\": 1}]}]}\n");
}

static void a_cgroup_has_its_id(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_CGROUP);
	struct trace_summary_group *g = trace_summary_group(s, 1234, "/a");
	struct printed p;

	(void)state;
	g->events = 2;
	g->minor_faults = 1;
	printed_open(&p);
	trace_summary_print(p.out, s, &(struct trace_summary_style){ .is_json = true });
	assert_printed(&p, "{\"summary\": \"cgroup\", \"cgroup\": \"/a\", \"cgroup_id\": 1234, "
			   "\"events\": 2, \"major_faults\": 0, \"minor_faults\": 1, "
			   "\"calls\": []}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_an_object_on_a_line),
		cmocka_unit_test(run_time_and_histograms_are_there_on_request),
		cmocka_unit_test(a_cgroup_has_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
