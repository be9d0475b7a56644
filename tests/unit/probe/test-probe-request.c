/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "probe/probe-request.h"
#include "probe/probe-target.h"

static void targets_differ_in_one_request(void **state)
{
	const struct probe_request rq = { .program = "/a", .symfs = "/s", .target_ns = 7 };
	struct probe_target_options program = probe_request_target(&rq, "/b", NULL);
	struct probe_target_options module = probe_request_target(&rq, NULL, "ext4");

	(void)state;
	assert_string_equal(program.program, "/b");
	assert_string_equal(program.symfs, "/s");
	assert_int_equal(program.ns_pid, 7);
	assert_null(module.program);
	assert_string_equal(module.module, "ext4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_differ_in_one_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
