/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/name-list.h"
#include "job/archive-tar.h"
#include "scratch-folder.h"

static void what_is_packed_comes_out_again(void **state)
{
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = NULL;

	(void)state;
	assert_int_equal(mkdir("in", 0700), 0);
	assert_int_equal(mkdir("out", 0700), 0);
	fclose(fopen("in/a\nb", "w"));
	name_list_add(&files, "a\nb");
	assert_int_equal(archive_pack("x", "in", &files, &path, &d), 0);
	assert_int_equal(archive_unpack(path, "out", &d), 0);
	assert_int_equal(access("out/a\nb", F_OK), 0);
}

static void an_archive_that_is_not_there_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(archive_unpack("x.tar.gz", ".", &d), -ENOENT);
	assert_non_null(d.message);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(what_is_packed_comes_out_again),
		IN_FOLDER(an_archive_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
