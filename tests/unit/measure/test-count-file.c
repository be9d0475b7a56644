/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/notes.h"
#include "capture/count-recorder.h"
#include "datafile/features.h"
#include "measure/count-file.h"
#include "scratch-folder.h"

static void a_new_file_knows_the_machine(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(count_recorder_freep) struct count_recorder *r = NULL;

	(void)state;
	assert_int_equal(count_file_open("x.data", &r, &diag), 0);
	assert_non_null(count_recorder_features(r)->hostname);
}

static void a_folder_that_does_not_exist_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct count_recorder *r = NULL;

	(void)state;
	assert_true(count_file_open("no/such/folder/x.data", &r, &diag) < 0);
	assert_non_null(diag.message);
	assert_null(r);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_new_file_knows_the_machine),
		IN_FOLDER(a_folder_that_does_not_exist_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
