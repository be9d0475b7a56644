/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/output-stream.h"
#include "scratch-folder.h"
#include "skip.h"

static void a_file_appears_when_it_is_complete(void **state)
{
	const char *path = "new.svg";
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct output_stream s;
	uint64_t size = 0;

	(void)state;
	assert_int_equal(output_stream_begin(&s, path, &diag), 0);
	fprintf(s.out, "hello");
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(output_stream_commit(&s, &size, &diag), 0);
	assert_int_equal(size, 5);
	assert_int_equal(access(path, F_OK), 0);
	output_stream_done(&s);
}

static void what_is_not_committed_leaves_nothing(void **state)
{
	const char *path = "none.svg";
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct output_stream s;

	(void)state;
	assert_int_equal(output_stream_begin(&s, path, &diag), 0);
	fprintf(s.out, "hello");
	output_stream_done(&s);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
	const char *path = "nowhere/x.svg";
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct output_stream s;

	(void)state;
	assert_int_equal(output_stream_begin(&s, path, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "nowhere"));
	output_stream_done(&s);
}

static void lost_output_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct output_stream s;

	(void)state;
	if (access("/dev/full", W_OK) != 0)
		skip_because("there is no /dev/full");
	assert_int_equal(output_stream_begin(&s, "/dev/full", &diag), 0);
	fprintf(s.out, "hello");
	assert_int_equal(output_stream_commit(&s, NULL, &diag), -ENOSPC);
	output_stream_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_when_it_is_complete),
		cmocka_unit_test(what_is_not_committed_leaves_nothing),
		cmocka_unit_test(a_folder_that_is_not_there_is_named),
		cmocka_unit_test(lost_output_is_an_error),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
