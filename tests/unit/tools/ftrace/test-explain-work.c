/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "kernel/fake-tree.h"
#include "tools/ftrace/explain-work.h"
#include "tools/ftrace/request-work.h"
#include "tools/ftrace/settings-work.h"

static void a_missing_tracer_names_what_the_kernel_was_built_without(void **state)
{
	struct ftrace_request rq = { .tracing = *state };
	struct diag diag = { 0 };

	fake_file(*state, "available_tracers", "blk function nop\n");
	assert_int_equal(ftrace_check_tracer(&rq, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "CONFIG_FUNCTION_GRAPH_TRACER"));
	assert_non_null(strstr(diag.hint, "-t function"));
	rq.needs_graph = true;
	assert_int_equal(ftrace_check_tracer(&rq, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.hint, "latency -b -e"));
	rq = (struct ftrace_request){ .tracing = *state, .tracer = "func" };
	assert_int_equal(ftrace_check_tracer(&rq, &diag), -EOPNOTSUPP);
	assert_string_equal(diag.message, "this kernel has no tracer 'func'");
	rq.tracer = "function";
	assert_int_equal(ftrace_check_tracer(&rq, &diag), 0);
	diag_done(&diag);
}

static void a_misspelt_function_has_neighbours(void **state)
{
	const struct ftrace_setting s = { "set_ftrace_filter", "do_nanoslep", true, "-T" };
	struct diag diag = { 0 };

	fake_file(*state, "available_filter_functions", "do_nanosleep\nvfs_read\n");
	assert_int_equal(ftrace_explain_setting(*state, &s, -EINVAL, &diag), -EINVAL);
	assert_string_equal(diag.message,
			    "-T: there is no function 'do_nanoslep' that could be traced");
	assert_non_null(strstr(diag.hint, "Did you mean 'do_nanosleep'?"));
	diag_done(&diag);
}

static void an_option_that_the_kernel_lacks_is_named(void **state)
{
	const struct ftrace_setting s = { "options/funcgraph-args", "1", false,
					  "--graph-opts args" };
	struct diag diag = { 0 };

	assert_int_equal(ftrace_explain_setting(*state, &s, -ENOENT, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "--graph-opts args: this kernel cannot do it"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_missing_tracer_names_what_the_kernel_was_built_without, fake_tree_open,
			fake_tree_close),
		cmocka_unit_test_setup_teardown(a_misspelt_function_has_neighbours, fake_tree_open,
						fake_tree_close),
		cmocka_unit_test_setup_teardown(an_option_that_the_kernel_lacks_is_named,
						fake_tree_open, fake_tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
