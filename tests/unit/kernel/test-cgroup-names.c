/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "kernel/cgroup-names.h"

static uint64_t inode_of(const char *path)
{
	struct stat s;

	assert_int_equal(stat(path, &s), 0);
	return s.st_ino;
}

static void groups_are_found_by_their_inodes(void **state)
{
	char root[] = "/tmp/cgroup-names-XXXXXX";
	_cleanup_(cgroup_names_freep) struct cgroup_names *n = NULL;
	_cleanup_(freep) char *a = NULL, *b = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_non_null(mkdtemp(root));
	a = xasprintf("%s/a", root);
	b = xasprintf("%s/a/b", root);
	assert_int_equal(mkdir(a, 0700), 0);
	assert_int_equal(mkdir(b, 0700), 0);
	assert_int_equal(cgroup_names_read(root, &n, &diag), 0);
	assert_string_equal(cgroup_names_find(n, inode_of(root)), "/");
	assert_string_equal(cgroup_names_find(n, inode_of(a)), "/a");
	assert_string_equal(cgroup_names_find(n, inode_of(b)), "/a/b");
	assert_null(cgroup_names_find(n, 0));
	rmdir(b);
	rmdir(a);
	rmdir(root);
}

static void a_hierarchy_that_is_not_there_is_an_error(void **state)
{
	struct cgroup_names *n = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(cgroup_names_read("/nowhere/at/all", &n, &diag), -ENOENT);
	assert_null(n);
	assert_non_null(diag.message);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_are_found_by_their_inodes),
		cmocka_unit_test(a_hierarchy_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
