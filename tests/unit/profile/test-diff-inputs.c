/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "profile/diff-inputs.h"

static char directory[] = "/tmp/perf-diff-XXXXXX";

static void touch(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static int make_files(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	assert_int_equal(mkdir("set", 0700), 0);
	assert_int_equal(mkdir("threads", 0700), 0);
	assert_int_equal(mkdir("empty", 0700), 0);
	for (size_t i = 0; i < 6; i++)
		touch((const char *[]){ "a1.data", "a2.data", "with,comma", "set/2.data",
					"set/1.data", "threads/data" }[i]);
	touch("set/notes");
	return 0;
}

static int remove_files(void **state)
{
	static const char *const names[] = { "a1.data",    "a2.data",    "with,comma",
					     "set/2.data", "set/1.data", "threads/data",
					     "set/notes",  "set",        "threads",
					     "empty" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(remove(names[i]), 0);
	assert_int_equal(chdir("/"), 0);
	return rmdir(directory);
}

static int find(struct diff_inputs *in, struct diag *diag, int argc, char *a, char *b)
{
	return diff_inputs_find(argc, (char *[]){ a, b, NULL }, in, diag);
}

static void without_arguments_the_last_two_recordings_are_compared(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs none = { 0 }, one = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find(&none, &diag, 0, NULL, NULL), 0);
	assert_int_equal(none.n, 2);
	assert_string_equal(none.items[0].items[0], "perf.data.old");
	assert_string_equal(none.items[1].items[0], "perf.data");
	assert_int_equal(find(&one, &diag, 1, "a1.data", NULL), 0);
	assert_string_equal(one.items[0].items[0], "perf.data.old");
	assert_string_equal(one.items[1].items[0], "a1.data");
}

static void a_side_may_be_several_recordings(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 }, more = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find(&in, &diag, 2, "a1.data,a2.data", "set"), 0);
	assert_int_equal(in.items[0].n, 2);
	assert_string_equal(in.items[0].items[1], "a2.data");
	assert_int_equal(in.items[1].n, 2);
	assert_string_equal(in.items[1].items[0], "set/1.data");
	assert_int_equal(find(&more, &diag, 2, "a?.data", "set,a1.data"), 0);
	assert_int_equal(more.items[0].n, 2);
	assert_int_equal(more.items[1].n, 3);
	assert_string_equal(more.items[1].name, "set,a1.data");
}

static void a_file_that_is_there_is_that_file(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find(&in, &diag, 2, "with,comma", "threads"), 0);
	assert_int_equal(in.items[0].n, 1);
	assert_string_equal(in.items[0].items[0], "with,comma");
	assert_int_equal(in.items[1].n, 1); /* a recording with parallel threads */
}

static void what_has_no_recordings_is_refused(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find(&in, &diag, 2, "a1.data", "empty"), -ENOENT);
	assert_int_equal(find(&in, &diag, 2, "a1.data", "b*.data"), -ENOENT);
	assert_int_equal(find(&in, &diag, 2, "a1.data", ","), -ENOENT);
	assert_int_equal(in.n, 0);
	/* A plain name that does not exist is noticed when it is opened. */
	assert_int_equal(find(&in, &diag, 2, "a1.data", "nothere"), 0);
}

static void a_url_is_taken_as_it_is(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find(&in, &diag, 2, "sqlite:a,b?host=w*", "a1.data"), 0);
	assert_int_equal(in.items[0].n, 1);
	assert_string_equal(in.items[0].items[0], "sqlite:a,b?host=w*");
}

static int find_fleet(struct diff_inputs *in, struct diag *diag, const char *a, const char *b)
{
	char *argv[] = { (char *)a, (char *)b };

	return diff_inputs_fleet(b ? 2 : 1, argv, in, diag);
}

static void sides_of_a_fleet_have_names(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find_fleet(&in, &diag, "new=sqlite:f?host=a*", "baseline=sqlite:f"), 0);
	assert_int_equal(in.n, 2);
	assert_string_equal(in.items[0].label, "baseline");
	assert_string_equal(in.items[0].name, "baseline=sqlite:f");
	assert_string_equal(in.items[0].items[0], "sqlite:f?by=host&by=function");
	assert_string_equal(in.items[1].label, "new");
	assert_string_equal(in.items[1].items[0], "sqlite:f?host=a*&by=host&by=function");
}

static void without_names_the_first_side_is_the_baseline(void **state)
{
	_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(find_fleet(&in, &diag, "sqlite:f?host=a", "b=sqlite:f"), 0);
	assert_string_equal(in.items[0].label, "sqlite:f?host=a");
	assert_string_equal(in.items[1].label, "b");
}

static void what_is_no_side_of_a_fleet_is_refused(void **state)
{
	static const char *const sides[][2] = {
		{ "a=sqlite:f", NULL },         { "a=sqlite:f", "b=f.data" },
		{ "a=sqlite:f", "f.data" },     { "a=sqlite:f", "=sqlite:f" },
		{ "a=sqlite:f", "a=sqlite:g" }, { "a=sqlite:f", "b=sqlite:f?since=x" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		_cleanup_(diff_inputs_done) struct diff_inputs in = { 0 };
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_int_equal(find_fleet(&in, &diag, sides[i][0], sides[i][1]), -EINVAL);
		assert_non_null(diag.message);
		assert_int_equal(in.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_arguments_the_last_two_recordings_are_compared),
		cmocka_unit_test(a_side_may_be_several_recordings),
		cmocka_unit_test(a_file_that_is_there_is_that_file),
		cmocka_unit_test(what_has_no_recordings_is_refused),
		cmocka_unit_test(a_url_is_taken_as_it_is),
		cmocka_unit_test(sides_of_a_fleet_have_names),
		cmocka_unit_test(without_names_the_first_side_is_the_baseline),
		cmocka_unit_test(what_is_no_side_of_a_fleet_is_refused),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
