/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "capture/host-facts.h"
#include "datafile/features.h"
#include "kernel/fake-tree.h"

static void the_machine_and_the_command_line_are_told(void **state)
{
	const char *const argv[] = { "perf", "record", "-a" };
	const struct host_facts_request rq = {
		.root = *state, .version = "1.2", .argv = argv, .n_args = 3
	};
	_cleanup_(features_done) struct features f = { 0 };
	struct utsname uts;
	char self[256];

	uname(&uts);
	fake_file(*state, "proc/cpuinfo",
		  "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 165\n"
		  "model name\t: Core\nstepping\t: 5\n");
	host_facts(&rq, &f);
	assert_string_equal(f.version, "1.2");
	assert_string_equal(f.hostname, uts.nodename);
	assert_string_equal(f.os_release, uts.release);
	assert_string_equal(f.arch, uts.machine);
	assert_string_equal(f.cpu_id, "GenuineIntel,6,165,5");
	assert_string_equal(f.cpu_desc, "Core");
	assert_int_equal(f.cmdline.n, 3);
	self[readlink("/proc/self/exe", self, sizeof(self) - 1)] = '\0';
	assert_string_equal(f.cmdline.items[0], self);
	assert_string_equal(f.cmdline.items[2], "-a");
	for (unsigned id = FEATURE_HOSTNAME; id <= FEATURE_ARCH; id++)
		assert_true(features_have(&f, id));
}

static void what_the_machine_does_not_tell_is_left_out(void **state)
{
	const struct host_facts_request rq = { .root = *state, .version = "1.2" };
	_cleanup_(features_done) struct features f = { 0 };

	host_facts(&rq, &f);
	assert_true(features_have(&f, FEATURE_VERSION));
	assert_false(features_have(&f, FEATURE_CMDLINE));
	for (unsigned id = FEATURE_NRCPUS; id < FEATURE_KNOWN; id++)
		assert_false(features_have(&f, id));
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(the_machine_and_the_command_line_are_told),
		tree_test(what_the_machine_does_not_tell_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
