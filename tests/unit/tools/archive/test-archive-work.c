/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include <errno.h>
#include <string.h>

#include "base/notes.h"
#include "tools/archive/archive-work.h"
#include "scratch-folder.h"

static void images_that_nobody_has_leave_no_archive(void **state)
{
	const struct archive_request rq = { .buildid_dir = "cache" };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = NULL;

	(void)state;
	example_recording("x.data");
	assert_int_equal(archive_make(&rq, "x.data", &notes, &path, &d), -ENOENT);
	assert_string_equal(d.message, "no build-ids found");
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "3 of 3 images are neither in"));
	assert_null(path);
}

static void without_a_cache_there_is_nowhere_to_unpack(void **state)
{
	const struct archive_request rq = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(archive_open(&rq, "x.tar.gz", NULL, &d), -ENOENT);
	assert_non_null(strstr(d.message, "there is no build-id cache"));
}

static void an_archive_is_looked_for_here(void **state)
{
	const struct archive_request rq = { .buildid_dir = "cache" };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(archive_open(&rq, NULL, NULL, &d), -ENOENT);
	assert_string_equal(d.message, "no archive was found here: name one");
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(images_that_nobody_has_leave_no_archive),
		IN_FOLDER(without_a_cache_there_is_nowhere_to_unpack),
		IN_FOLDER(an_archive_is_looked_for_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
