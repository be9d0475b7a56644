/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "capture/attr-file.h"
#include "scratch-folder.h"
#include "wire/attr.h"

static const struct attr cycles = { .type = 0,
				    .config = 7,
				    .sample_period = 4000,
				    .freq = 1,
				    .precise_ip = 3,
				    .sample_type = 263,
				    .sample_stack_user = 8192 };

static const struct attr_file opened = {
	.attr = &cycles, .fd = 5, .group_fd = -1, .cpu = 1, .pid = 77, .flags = 8
};

static void values_stand_in_lines(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	attr_file_print(&opened, &t);
	assert_memory_equal(t.chars,
			    "[event-0-7-5]\nfd=5\ngroup_fd=-1\ncpu=1\npid=77\nflags=8\ntype=0\n"
			    "size=128|136\nconfig=7\nsample_period=4000\nsample_type=263\n",
			    115);
	assert_non_null(strstr(t.chars, "\nfreq=1\n"));
	assert_non_null(strstr(t.chars, "\nprecise_ip=3\n"));
	assert_non_null(strstr(t.chars, "\nsample_stack_user=8192\n"));
}

static void an_attr_that_needs_more_has_its_size(void **state)
{
	struct attr large = cycles;
	struct attr_file f = opened;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	large.config3 = 1;
	f.attr = &large;
	attr_file_print(&f, &t);
	assert_null(strstr(t.chars, "size=128"));
}

static void nothing_is_written_unless_asked_for(void **state)
{
	_cleanup_(freep) char *text = NULL;

	unsetenv("PERF_TEST_ATTR");
	attr_file_write(&opened);
	setenv("PERF_TEST_ATTR", "", 1);
	attr_file_write(&opened);
	setenv("PERF_TEST_ATTR", "/no/such/folder", 1);
	attr_file_write(&opened);
	assert_int_not_equal(access("event-0-7-5", F_OK), 0);
	setenv("PERF_TEST_ATTR", *state, 1);
	attr_file_write(&opened);
	assert_int_equal(file_read(AT_FDCWD, "event-0-7-5", 10000, &text, NULL), 0);
	assert_memory_equal(text, "[event-0-7-5]\n", 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_stand_in_lines),
		cmocka_unit_test(an_attr_that_needs_more_has_its_size),
		cmocka_unit_test_setup_teardown(nothing_is_written_unless_asked_for,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
