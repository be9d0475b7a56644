/* SPDX-License-Identifier: MIT */
#include "example-filter.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const *calls;

/* @marked is what the message points at; @message and @hint are parts of what it says. */
static void assert_refused(const char *text, const char *marked, const char *message,
			   const char *hint)
{
	_cleanup_(trace_filter_freep) struct trace_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct example_scope s;

	example_scope(&s, calls);
	assert_int_equal(trace_filter_parse(text, &s.scope, &f, &diag), -EINVAL);
	assert_null(f);
	if (!strstr(diag.message, message) || (hint && !(diag.hint && strstr(diag.hint, hint))))
		fail_msg("'%s': %s (%s)", text, diag.message, diag.hint ? diag.hint : "");
	if (marked && (strlen(marked) != diag.length ||
		       strncmp(diag.excerpt + diag.offset, marked, diag.length) != 0))
		fail_msg("'%s': marks '%.*s'", text, (int)diag.length, diag.excerpt + diag.offset);
}

static int choose(void **state)
{
	static const char *const chosen[] = { "openat", "read", NULL };

	(void)state;
	calls = chosen;
	return 0;
}

static void an_unknown_argument_names_those_that_exist(void **state)
{
	(void)state;
	assert_refused("filenam == 1", "filenam", "no chosen system call has an argument 'filenam'",
		       "did you mean 'filename'?");
	assert_refused("xyzzy == 1", "xyzzy", "no chosen", "fd, buf, count, dfd, filename");
	assert_refused("xyzzy == 1", "xyzzy", "no chosen", "ret, duration, comm, pid, tid, cpu");
	/* write() has it, but was not chosen. */
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
	assert_refused("fd ^ 1", "^", "'^' is no operator", "operators:");
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
		cmocka_unit_test_setup(an_unknown_argument_names_those_that_exist, choose),
		cmocka_unit_test_setup(what_is_missing_is_said, choose),
		cmocka_unit_test_setup(parentheses_must_match, choose),
		cmocka_unit_test_setup(joints_and_operators_are_corrected, choose),
		cmocka_unit_test_setup(depth_and_length_are_limited, choose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
