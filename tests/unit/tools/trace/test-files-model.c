/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tools/trace/files-model.h"

static int setup(void **state)
{
	*state = trace_files_new();
	return 0;
}

static int teardown(void **state)
{
	trace_files_unref(*state);
	return 0;
}

static void assert_path(const struct trace_files *f, int32_t fd, const char *expected)
{
	const char *path = NULL;

	assert_int_equal(trace_files_find(f, fd, &path), TRACE_FILE_KNOWN);
	assert_string_equal(path, expected);
}

static enum trace_file_state state_of(const struct trace_files *f, int32_t fd)
{
	const char *path = NULL;

	return trace_files_find(f, fd, &path);
}

static void a_path_is_known_until_it_is_forgotten(void **state)
{
	struct trace_files *f = *state;

	assert_int_equal(state_of(f, 3), TRACE_FILE_UNKNOWN);
	trace_files_set(f, 3, "/etc/passwd", 10);
	assert_path(f, 3, "/etc/passwd");
	trace_files_forget(f, 3, 20);
	assert_int_equal(state_of(f, 3), TRACE_FILE_UNKNOWN);
	trace_files_set(f, 3,
			"/a/longer/path/than/the/one/that/was/there/before/so/that/it/grows/a/lot",
			30);
	assert_path(f, 3,
		    "/a/longer/path/than/the/one/that/was/there/before/so/that/it/grows/a/lot");
}

static void what_was_looked_for_in_vain_is_absent_until_something_is_told(void **state)
{
	struct trace_files *f = *state;

	trace_files_set(f, 99, NULL, 0);
	assert_int_equal(state_of(f, 99), TRACE_FILE_ABSENT);
	trace_files_set(f, 99, "pipe:[7]", 5);
	assert_path(f, 99, "pipe:[7]");
}

static void what_was_told_during_a_call_wins_over_the_call(void **state)
{
	struct trace_files *f = *state;

	trace_files_set(f, 3, "/real/file", 15);
	trace_files_set(f, 3, "/link", 10);
	assert_path(f, 3, "/real/file");
	trace_files_forget(f, 3, 10);
	assert_path(f, 3, "/real/file");
	trace_files_forget_range(f, 0, UINT32_MAX, 10);
	assert_path(f, 3, "/real/file");
	trace_files_set(f, 4, "/other", 1);
	trace_files_duplicate(f, 4, 3, 10);
	assert_path(f, 3, "/real/file");
}

static void duplicates_share_the_path_and_live_on_alone(void **state)
{
	struct trace_files *f = *state;

	trace_files_set(f, 1, "/dev/pts/0", 1);
	trace_files_duplicate(f, 1, 2, 2);
	trace_files_set(f, 1, "/tmp/out", 3);
	assert_path(f, 1, "/tmp/out");
	assert_path(f, 2, "/dev/pts/0");
	trace_files_duplicate(f, 2, 2, 4);
	assert_path(f, 2, "/dev/pts/0");
	trace_files_duplicate(f, 77, 2, 5);
	assert_int_equal(state_of(f, 2), TRACE_FILE_UNKNOWN);
}

static void a_copy_changes_on_its_own(void **state)
{
	struct trace_files *f = *state, *copy;

	trace_files_set(f, 1, "/one", 1);
	trace_files_set(f, 2, "/two", 1);
	copy = trace_files_copy(f);
	assert_path(copy, 2, "/two");
	trace_files_set(copy, 1, "/changed", 2);
	trace_files_forget(f, 2, 2);
	assert_path(f, 1, "/one");
	assert_path(copy, 1, "/changed");
	assert_path(copy, 2, "/two");
	assert_int_equal(state_of(f, 2), TRACE_FILE_UNKNOWN);
	trace_files_unref(copy);
	assert_path(f, 1, "/one");
}

static void exec_leaves_the_standard_files(void **state)
{
	struct trace_files *f = *state, *after;

	trace_files_set(f, 1, "/dev/pts/0", 1);
	trace_files_set(f, 2, NULL, 0);
	trace_files_set(f, 3, "/three", 1);
	after = trace_files_after_exec(f);
	assert_path(after, 1, "/dev/pts/0");
	assert_int_equal(state_of(after, 0), TRACE_FILE_UNKNOWN);
	assert_int_equal(state_of(after, 2), TRACE_FILE_UNKNOWN);
	assert_int_equal(state_of(after, 3), TRACE_FILE_UNKNOWN);
	trace_files_unref(after);
}

static void a_range_is_forgotten_and_the_rest_stays(void **state)
{
	struct trace_files *f = *state, *copy;

	for (int i = 0; i < 10; i++)
		trace_files_set(f, i, "/x", 1);
	copy = trace_files_copy(f);
	trace_files_forget_range(f, 3, UINT32_MAX, 2);
	assert_path(f, 2, "/x");
	assert_int_equal(state_of(f, 3), TRACE_FILE_UNKNOWN);
	assert_int_equal(state_of(f, 9), TRACE_FILE_UNKNOWN);
	assert_path(copy, 9, "/x");
	trace_files_unref(copy);
}

static void thousands_of_descriptors_are_found_and_millions_take_no_more_memory(void **state)
{
	struct trace_files *f = *state;

	for (int i = 0; i < 3000; i++)
		trace_files_set(f, i * 1000, "/x", 1);
	for (int i = 0; i < 3000; i++)
		assert_path(f, i * 1000, "/x");
	for (int i = 0; i < 200000; i++)
		trace_files_set(f, i, NULL, 0);
	assert_int_equal(state_of(f, 199999), TRACE_FILE_ABSENT);
	assert_int_equal(state_of(f, 1000), TRACE_FILE_UNKNOWN);
}

static void a_path_without_end_is_cut(void **state)
{
	struct trace_files *f = *state;
	char *path = malloc(10001);
	const char *kept = NULL;

	memset(path, 'x', 10000);
	path[10000] = '\0';
	trace_files_set(f, 3, path, 1);
	assert_int_equal(trace_files_find(f, 3, &kept), TRACE_FILE_KNOWN);
	assert_int_equal(strlen(kept), 4095);
	free(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_path_is_known_until_it_is_forgotten),
		TEST(what_was_looked_for_in_vain_is_absent_until_something_is_told),
		TEST(what_was_told_during_a_call_wins_over_the_call),
		TEST(duplicates_share_the_path_and_live_on_alone),
		TEST(a_copy_changes_on_its_own),
		TEST(exec_leaves_the_standard_files),
		TEST(a_range_is_forgotten_and_the_rest_stays),
		TEST(thousands_of_descriptors_are_found_and_millions_take_no_more_memory),
		TEST(a_path_without_end_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
