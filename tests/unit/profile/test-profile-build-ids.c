/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include <errno.h>

#include "profile/profile-build-ids.h"
#include "scratch-folder.h"

static void build_ids_come_from_maps_where_there_is_no_list(void **state)
{
	_cleanup_(profile_build_ids_done) struct profile_build_ids ids = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	example_recording("x.data");
	assert_int_equal(profile_build_ids_read("x.data", false, &ids, &d), 0);
	assert_int_equal(ids.n, 3);
	assert_string_equal(ids.items[0].name, "/nowhere/hit");
	assert_int_equal(ids.items[0].id.bytes[0], 1);
}

static void a_profile_that_is_not_there_is_an_error(void **state)
{
	_cleanup_(profile_build_ids_done) struct profile_build_ids ids = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(profile_build_ids_read("x.data", false, &ids, &d), -ENOENT);
	assert_int_equal(ids.n, 0);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(build_ids_come_from_maps_where_there_is_no_list),
		IN_FOLDER(a_profile_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
