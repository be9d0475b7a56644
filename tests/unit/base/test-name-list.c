/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "kernel/fake-tree.h"
#include "base/name-list.h"

static void entries_come_without_the_hidden_and_can_be_sorted(void **state)
{
	_cleanup_(name_list_done) struct name_list l = { 0 };

	fake_file(*state, "b", "");
	fake_file(*state, "a/", "");
	fake_file(*state, "B", "");
	fake_file(*state, ".hidden", "");
	assert_int_equal(name_list_read(AT_FDCWD, *state, false, &l), 0);
	name_list_sort(&l);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.items[0], "B");
	assert_string_equal(l.items[1], "a");
	assert_string_equal(l.items[2], "b");
	assert_true(name_list_contains(&l, "a"));
	assert_false(name_list_contains(&l, "c"));
}

static void directories_include_links_to_them(void **state)
{
	_cleanup_(name_list_done) struct name_list l = { 0 };
	char path[256];

	fake_file(*state, "dir/file", "");
	fake_file(*state, "file", "");
	snprintf(path, sizeof(path), "%s/link", (char *)*state);
	assert_int_equal(symlink("dir", path), 0);
	assert_int_equal(name_list_read(AT_FDCWD, *state, true, &l), 0);
	name_list_sort(&l);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0], "dir");
	assert_string_equal(l.items[1], "link");
}

static void what_is_no_directory_is_an_error(void **state)
{
	struct name_list l = { .n = 7 };
	char path[256];

	fake_file(*state, "file", "");
	snprintf(path, sizeof(path), "%s/file", (char *)*state);
	assert_int_equal(name_list_read(AT_FDCWD, path, false, &l), -ENOTDIR);
	assert_int_equal(name_list_read(AT_FDCWD, "/nowhere", false, &l), -ENOENT);
	assert_int_equal(l.n, 7);
}

static void an_empty_list_contains_nothing(void **state)
{
	(void)state;
	const struct name_list l = { 0 };

	assert_false(name_list_contains(&l, ""));
}

#define in_tree(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_tree(entries_come_without_the_hidden_and_can_be_sorted),
		in_tree(directories_include_links_to_them),
		in_tree(what_is_no_directory_is_an_error),
		cmocka_unit_test(an_empty_list_contains_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
