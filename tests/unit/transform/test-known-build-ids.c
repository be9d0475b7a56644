/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "transform/known-build-ids.h"

static int parse(struct known_build_ids *k, const char *text)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = known_build_ids_parse(k, text, &d);

	assert_true(r >= 0 || d.message);
	return r;
}

static void pairs_are_found_by_their_path(void **state)
{
	(void)state;
	_cleanup_(known_build_ids_done) struct known_build_ids k = { 0 };

	assert_int_equal(parse(&k, "aabb /bin/a,ccddee  /bin/b c"), 0);
	assert_int_equal(known_build_ids_find(&k, "/bin/a")->size, 2);
	assert_int_equal(known_build_ids_find(&k, "/bin/b c")->bytes[2], 0xee);
	assert_null(known_build_ids_find(&k, "/bin/c"));
}

static void what_is_no_pair_is_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = { "aabb", "/bin/a", "xyz /bin/a", "aabb ",
					     "aabb /a,cc" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_(known_build_ids_done) struct known_build_ids k = { 0 };

		assert_int_equal(parse(&k, wrong[i]), -EINVAL);
	}
}

static void a_file_has_lines_and_what_is_no_pair_is_passed_over(void **state)
{
	(void)state;
	static const char lines[] = "aabb /bin/a\n                [vdso]\n\nccdd [kernel.kallsyms]";
	_cleanup_(known_build_ids_done) struct known_build_ids k = { 0 };
	_cleanup_(closep) int fd = memfd_create("list", MFD_CLOEXEC);
	char path[64];

	assert_int_equal(write(fd, lines, strlen(lines)), strlen(lines));
	snprintf(path, sizeof(path), "file:///proc/self/fd/%d", fd);
	assert_int_equal(parse(&k, path), 0);
	assert_int_equal(k.n, 2);
	assert_int_equal(known_build_ids_find(&k, "[kernel.kallsyms]")->bytes[0], 0xcc);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	_cleanup_(known_build_ids_done) struct known_build_ids k = { 0 };

	assert_int_equal(parse(&k, "file:///nowhere/list"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_found_by_their_path),
		cmocka_unit_test(what_is_no_pair_is_refused),
		cmocka_unit_test(a_file_has_lines_and_what_is_no_pair_is_passed_over),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
