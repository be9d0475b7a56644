/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/test/process-work.h"

static void expect_last(const char *output, const char *line)
{
	struct text t = { .chars = (char *)output, .length = strlen(output) };
	_cleanup_(freep) char *last = selftest_last_line(&t);

	assert_string_equal(last, line);
}

static void the_last_line_with_something_in_it_is_the_reason(void **state)
{
	(void)state;
	expect_last("", "");
	expect_last("\n \n", "");
	expect_last("one", "one");
	expect_last("one\ntwo\n\n  \n", "two");
	expect_last("one\n", "one");
}

static void a_long_line_is_cut(void **state)
{
	char long_line[2000];
	struct text t = { .chars = long_line, .length = sizeof(long_line) };
	_cleanup_(freep) char *last = NULL;

	(void)state;
	memset(long_line, 'x', sizeof(long_line));
	last = selftest_last_line(&t);
	assert_int_equal(strlen(last), SELFTEST_REASON_MAX);
}

static void a_scratch_directory_goes_with_all_that_is_in_it_but_not_behind_links(void **state)
{
	_cleanup_(freep) char *path = NULL;
	_cleanup_(freep) char *other = NULL;
	_cleanup_(freep) char *link = NULL;
	_cleanup_(freep) char *below = NULL;
	struct stat st;

	(void)state;
	assert_int_equal(selftest_scratch_make(&path), 0);
	assert_int_equal(selftest_scratch_make(&other), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	link = xasprintf("%s/link", path);
	below = xasprintf("%s/below", path);
	assert_int_equal(symlink(other, link), 0);
	assert_int_equal(mkdir(below, 0700), 0);
	selftest_scratch_remove(path);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(other, F_OK), 0);
	selftest_scratch_remove(other);
	assert_int_equal(access(other, F_OK), -1);
	selftest_scratch_remove(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_line_with_something_in_it_is_the_reason),
		cmocka_unit_test(a_long_line_is_cut),
		cmocka_unit_test(
			a_scratch_directory_goes_with_all_that_is_in_it_but_not_behind_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
