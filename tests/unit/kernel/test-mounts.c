/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "kernel/mounts.h"

static const char table[] =
	"sysfs /sys sysfs rw,nosuid 0 0\n"
	"cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0\n"
	"cgroup /sys/fs/cgroup/perf\\040event cgroup rw,perf_event,relatime 0 0\n"
	"cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
	"x /odd\\09\\ odd rw\n"
	"short\n"
	"none /sys/kernel/tracing tracefs rw";

static void the_first_mount_of_a_type_is_found(void **state)
{
	(void)state;
	_cleanup_(freep) char *cgroup = mounts_find(table, "cgroup", NULL);
	_cleanup_(freep) char *tracefs = mounts_find(table, "tracefs", NULL);

	assert_string_equal(cgroup, "/sys/fs/cgroup/cpu");
	assert_string_equal(tracefs, "/sys/kernel/tracing");
	assert_null(mounts_find(table, "debugfs", NULL));
	assert_null(mounts_find(table, "short", NULL));
	assert_null(mounts_find("", "tracefs", NULL));
}

static void an_option_must_match_as_a_whole_word(void **state)
{
	(void)state;
	_cleanup_(freep) char *last = mounts_find(table, "cgroup", "cpu");

	assert_string_equal(last, "/sys/fs/cgroup/cpu");
	assert_null(mounts_find(table, "cgroup", "perf"));
	assert_null(mounts_find(table, "cgroup2", "cpu"));
}

static void escaped_blanks_are_undone_and_other_backslashes_stay(void **state)
{
	(void)state;
	_cleanup_(freep) char *blank = mounts_find(table, "cgroup", "perf_event");
	_cleanup_(freep) char *odd = mounts_find(table, "odd", NULL);

	assert_string_equal(blank, "/sys/fs/cgroup/perf event");
	assert_string_equal(odd, "/odd\\09\\");
}

static void the_kernels_own_table_is_readable(void **state)
{
	(void)state;
	_cleanup_(freep) char *mounts = mounts_read();
	_cleanup_(freep) char *proc = mounts_find(mounts, "proc", NULL);

	assert_string_equal(proc, "/proc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_mount_of_a_type_is_found),
		cmocka_unit_test(an_option_must_match_as_a_whole_word),
		cmocka_unit_test(escaped_blanks_are_undone_and_other_backslashes_stay),
		cmocka_unit_test(the_kernels_own_table_is_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
