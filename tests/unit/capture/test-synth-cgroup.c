/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/synth-internal.h"
#include "kernel/cgroup.h"
#include "records.h"

static void the_root_comes_first_with_its_inode_as_id(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(freep) char *root = NULL;
	const struct synth_plan p = { 0 };
	struct stat st;

	(void)state;
	synth_cgroups(&p, &b);
	if (cgroup_root(&root, &d) < 0 || stat(root, &st) < 0) {
		assert_int_equal(b.n, 0);
		return;
	}

	struct record r = record_at(&b, NULL, PERF_RECORD_CGROUP, 0);
	assert_string_equal(r.cgroup.path, "/");
	assert_int_equal(r.cgroup.id, st.st_ino);
	for (size_t i = 0; record_find(&b, NULL, 0, i, &r); i++)
		assert_int_equal(r.cgroup.path[0], '/');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_root_comes_first_with_its_inode_as_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
