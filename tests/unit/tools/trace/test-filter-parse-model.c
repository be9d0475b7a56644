/* SPDX-License-Identifier: MIT */
#include "example-filter.h"

#include <stdlib.h>

static void assert_refused(const char *text, const char *marked, const char *message,
			   const char *hint)
{
	assert_filter_refused(CALLS("openat", "read"), text, marked, message, hint);
}

static void an_unknown_argument_names_those_that_exist(void **state)
{
	(void)state;
	assert_refused("filenam == 1", "filenam", "no chosen system call has an argument 'filenam'",
		       "did you mean 'filename'?");
	assert_refused("xyzzy == 1", "xyzzy", "no chosen", "fd, buf, count, dfd, filename");
	assert_refused("xyzzy == 1", "xyzzy", "no chosen", "ret, duration, comm, pid, tid, cpu");
	/* Another call has it, but was not chosen. */
	assert_refused("sig == 1", "sig", "no chosen system call has an argument 'sig'", NULL);
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	assert_refused("", NULL, "the filter is empty", NULL);
	assert_refused("  ", NULL, "the filter is empty", NULL);
	assert_refused("fd", "", "an operator and a value", "operators:");
	assert_refused("fd &&", "&", "an operator and a value", "operators:");
	assert_refused("fd ==", "", "a value is expected", NULL);
	assert_refused("fd == 1 &&", "", "a comparison is expected", NULL);
	assert_refused("fd == 1 || ", "", "a comparison is expected", NULL);
	assert_refused("&& fd == 1", "&", "a comparison is expected", NULL);
	assert_refused("!", "", "a comparison is expected", NULL);
	assert_refused("()", ")", "a comparison is expected", NULL);
	assert_refused("3 == fd", "3", "begins with the name of an argument", NULL);
	assert_refused("== 3", "=", "begins with the name of an argument", NULL);
}

static void parentheses_must_match(void **state)
{
	(void)state;
	assert_refused("(fd == 1", "(", "this ( is never closed", NULL);
	assert_refused("fd == 1)", ")", "this ) has no ( before it", NULL);
	assert_refused("((fd == 1) && (fd == 2)", "(", "this ( is never closed", NULL);
}

static void joints_and_operators_are_corrected(void **state)
{
	(void)state;
	assert_refused("fd = 1", "=", "write ==", NULL);
	assert_refused("fd => 1", "=>", "write >=", NULL);
	assert_refused("fd ^ 1", "^", "'^' is not an operator", "operators:");
	assert_refused("fd == 1 & fd == 2", "&", "write && to join", NULL);
	assert_refused("fd & 1 == 0", "==", "cannot be compared again", NULL);
	assert_refused("fd == 1 fd == 2", "fd", "&& or || is expected", NULL);
}

static void depth_and_length_are_limited(void **state)
{
	char deep[1000], *wide = calloc(1, 20000);

	(void)state;
	memset(deep, '(', sizeof(deep));
	deep[999] = '\0';
	assert_refused(deep, NULL, "nested too deeply", NULL);
	memset(deep, '!', 999);
	assert_refused(deep, NULL, "nested too deeply", NULL);
	for (int i = 0; i < 1000; i++)
		strcat(wide, i ? "||fd==1" : "fd==1");
	assert_refused(wide, NULL, "too many comparisons", NULL);
	free(wide);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_argument_names_those_that_exist),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(parentheses_must_match),
		cmocka_unit_test(joints_and_operators_are_corrected),
		cmocka_unit_test(depth_and_length_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
