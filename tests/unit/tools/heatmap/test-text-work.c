/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/notes.h"
#include "scratch-folder.h"
#include "tools/heatmap/heatmap-work.h"
#include "tools/heatmap/text-work.h"

static int read_points(const char *text, struct heat_map *m, struct notes *notes, struct diag *diag)
{
	const struct heatmap_request rq = { .path = "points",
					    .time_unit_ns = 1000000000,
					    .value_unit_ns = 1000 };
	struct heat *h = heat_new(&(struct heat_options){ .rows = 10, .columns = 10 });
	int r;

	if (text) {
		FILE *f = fopen("points", "w");

		fputs(text, f);
		fclose(f);
	}
	r = heatmap_read_text(&rq, h, notes, diag);
	if (r >= 0)
		r = heat_settle(h, m, diag);
	heat_free(h);
	return r;
}

static void points_have_units(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heat_map m;

	(void)state;
	assert_int_equal(read_points("1 5\n3.5 20\n", &m, &notes, &diag), 0);
	assert_int_equal(m.total, 2);
	assert_int_equal(m.start_ns, 1000000000);
	assert_int_equal(m.largest, 20000);
	assert_int_equal(notes.n, 0);
	heat_map_done(&m);
}

static void bad_lines_are_told_once(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heat_map m;

	(void)state;
	assert_int_equal(read_points("1 5\nx\ny\n", &m, &notes, &diag), 0);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes.items[0].what.message,
			    "points: 2 of 3 lines are no time and value, the first is line 2: x");
	heat_map_done(&m);
}

static void a_recording_is_refused(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heat_map m;

	(void)state;
	assert_int_equal(read_points("PERFILE2xxxxxxxx", &m, &notes, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "is a recording"));
	assert_non_null(strstr(diag.hint, "perf heatmap -i points"));
}

static void a_file_that_is_not_there_may_be_a_mistyped_preset(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heat_map m;

	(void)state;
	assert_int_equal(read_points(NULL, &m, &notes, &diag), -ENOENT);
	assert_string_equal(diag.message, "'points' is neither a preset nor a file");
	assert_non_null(strstr(diag.hint, "block, futex"));
}

#define T(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(points_have_units),
		T(bad_lines_are_told_once),
		T(a_recording_is_refused),
		T(a_file_that_is_not_there_may_be_a_mistyped_preset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
