/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/notes.h"
#include "measure/record-finish.h"
#include "measure/record-job.h"
#include "measure/record-notes.h"

static struct record_ring ring = { .ring.size = 512 << 10 };

/* Returns a job without events, whose notes are @notes. */
static struct record_job job(const struct record_request *rq, struct notes *notes)
{
	return (struct record_job){
		.rq = rq, .notes = notes, .path = "x.data", .rings = { &ring, 1, 0 }
	};
}

static void how_much_was_recorded_is_told(void **state)
{
	const struct record_request rq = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);

	(void)state;
	j.recording.data_bytes = 3 << 20;
	record_notes_after(&j);
	assert_int_equal(notes.n, 2);
	assert_string_equal(notes.items[0].what.message,
			    "[ perf record: Woken up 0 times to write data ]");
	assert_string_equal(notes.items[1].what.message,
			    "[ perf record: Captured and wrote 3.000 MB x.data ]");
}

static void what_was_lost_is_told_with_the_cure(void **state)
{
	const struct record_request rq = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);
	struct record_drain drain = { .tally.lost = 7 };

	(void)state;
	j.recording.drains = &drain;
	j.recording.n_drains = 1;
	record_notes_after(&j);
	assert_int_equal(notes.n, 3);
	assert_int_equal(notes.items[2].kind, NOTE_WARNING);
	assert_non_null(strstr(notes.items[2].what.message, "7 records were lost"));
	assert_non_null(strstr(notes.items[2].what.hint, "-m 1024K"));
}

static void replaced_files_are_counted(void **state)
{
	const struct record_request rq = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);
	char *paths[] = { "/bin/a", "/bin/b" };

	(void)state;
	record_notes_unnamed(&j, &(struct unnamed_files){ paths, 0, 0 });
	assert_int_equal(notes.n, 0);
	record_notes_unnamed(&j, &(struct unnamed_files){ paths, 2, 2 });
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "'/bin/a' and 1 more"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(how_much_was_recorded_is_told),
		cmocka_unit_test(what_was_lost_is_told_with_the_cure),
		cmocka_unit_test(replaced_files_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
