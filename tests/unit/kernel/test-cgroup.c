/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/name-list.h"
#include "fake-tree.h"
#include "kernel/cgroup.h"

static void a_group_is_opened_by_name(void **state)
{
	static const char *const names[] = { "db", "/db", "db/" };

	fake_file(*state, "db/tasks", "");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(cgroup_done) struct cgroup c = { .fd = -1 };
		struct diag diag = { 0 };
		struct stat st;

		assert_int_equal(cgroup_open(*state, names[i], &c, &diag), 0);
		assert_string_equal(c.name, names[i]);
		assert_int_equal(fstat(c.fd, &st), 0);
		assert_true(S_ISDIR(st.st_mode) && st.st_ino == c.id);
		assert_int_equal(stat(c.path, &st), 0);
		assert_true(st.st_ino == c.id);
	}
}

static void groups_nest_and_the_root_is_one(void **state)
{
	_cleanup_(cgroup_done) struct cgroup inner = { .fd = -1 }, root = { .fd = -1 };
	struct diag diag = { 0 };

	fake_file(*state, "system.slice/cron.service/", "");
	assert_int_equal(cgroup_open(*state, "system.slice/cron.service", &inner, &diag), 0);
	assert_int_equal(cgroup_open(*state, "/", &root, &diag), 0);
	assert_true(inner.id != root.id);
}

static void an_unknown_group_brings_the_nearest(void **state)
{
	struct cgroup c = { .fd = -7 };
	struct diag diag = { 0 };

	fake_file(*state, "system.slice/cron.service/", "");
	fake_file(*state, "system.slice/tasks", "");
	assert_int_equal(cgroup_open(*state, "system.slice/cron.servise", &c, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "did you mean 'cron.service'?"));
	assert_int_equal(cgroup_open(*state, "sytem.slice", &c, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "'system.slice'"));
	assert_int_equal(cgroup_open(*state, "system.slice/tasks", &c, &diag), -ENOENT);
	assert_int_equal(cgroup_open(*state, "no/such/path", &c, &diag), -ENOENT);
	assert_int_equal(c.fd, -7);
	diag_done(&diag);
}

static void names_do_not_lead_out_of_the_hierarchy(void **state)
{
	static const char *const names[] = { "..", "../tmp", "a/../../b", "a/.." };
	struct cgroup c = { .fd = -7 };
	struct diag diag = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(cgroup_open(*state, names[i], &c, &diag), -EINVAL);
	fake_file(*state, "..a/b../", "");
	assert_int_equal(cgroup_open(*state, "..a/b..", &c, &diag), 0);
	cgroup_done(&c);
	diag_done(&diag);
}

static void without_a_mount_the_command_is_named(void **state)
{
	(void)state;
	_cleanup_(freep) char *root = NULL;
	struct diag diag = { 0 };
	int r = cgroup_root(&root, &diag);

	if (r == 0)
		assert_int_equal(root[0], '/');
	else
		assert_non_null(strstr(diag.hint, "mount -t cgroup2"));
	diag_done(&diag);
}

static void a_pattern_selects_groups_by_their_whole_path(void **state)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	fake_file(*state, "db/replica/", "");
	fake_file(*state, "web/db/", "");
	fake_file(*state, "db/tasks", "");
	assert_int_equal(cgroup_match(*state, "^db", &names, &diag), 0);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.items[0], "db");
	assert_string_equal(names.items[1], "db/replica");
}

static void a_pattern_that_selects_nothing_is_refused(void **state)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	fake_file(*state, "db/tasks", "");
	assert_int_equal(cgroup_match(*state, "^web", &names, &diag), -ENOENT);
	assert_int_equal(cgroup_match(*state, "(", &names, &diag), -EINVAL);
	assert_int_equal(names.n, 0);
}

#define in_tree(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_tree(a_group_is_opened_by_name),
		in_tree(groups_nest_and_the_root_is_one),
		in_tree(an_unknown_group_brings_the_nearest),
		in_tree(names_do_not_lead_out_of_the_hierarchy),
		in_tree(a_pattern_selects_groups_by_their_whole_path),
		in_tree(a_pattern_that_selects_nothing_is_refused),
		cmocka_unit_test(without_a_mount_the_command_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
