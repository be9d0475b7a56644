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

#include "base/diag.h"
#include "base/notes.h"
#include "measure/count.h"
#include "measure/words.h"
#include "scratch-folder.h"
#include "tools/stat/count-replay-work.h"

/* Records one run of `true` into "x.data", as request->record does. */
static void record(void)
{
	char *const argv[] = { "true", NULL };
	const struct count_request rq = { .argv = argv,
					  .events = WORDS(E("duration_time")),
					  .record = "x.data" };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = { 0 };
	struct count_job j;

	count_job_init(&j, &rq, &notes, &diag);
	assert_int_equal(count_job_prepare(&j), 0);
	assert_int_equal(count_job_run(&j), 0);
	assert_int_equal(count_job_finish(&j), 0);
	count_job_done(&j);
	notes_done(&notes);
}

static void take_table(void *arg, const struct stat_table *table)
{
	assert_int_equal(table->n_rows, 1);
	assert_string_equal(table->rows[0].event->name, "duration_time");
	assert_true(table->rows[0].count > 0);
	(*(unsigned *)arg)++;
}

static void a_recorded_run_is_one_table(void **state)
{
	unsigned tables = 0;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(count_replay_done) struct count_replay r = { .on_table = take_table,
							       .arg = &tables };

	(void)state;
	record();
	assert_int_equal(count_replay_open(&r, "x.data", &diag), 0);
	assert_int_equal(count_replay_run(&r, &diag), 0);
	assert_int_equal(tables, 1);
	count_replay_notes(&r, &notes);
	assert_int_equal(notes.n, 0);
}

static void its_title_is_the_command_line(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(count_replay_done) struct count_replay r = { 0 };

	(void)state;
	record();
	assert_int_equal(count_replay_open(&r, "x.data", &diag), 0);

	_cleanup_(freep) char *title = count_replay_title(&r);

	assert_non_null(strstr(title, program_invocation_short_name));
}

static void sums_over_cpus_of_a_task_are_refused_with_a_warning(void **state)
{
	unsigned tables = 0;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(count_replay_done) struct count_replay r = {
		.aggregate = { .given = true, .over = STAT_CORE },
		.on_table = take_table,
		.arg = &tables,
	};

	(void)state;
	record();
	assert_int_equal(count_replay_open(&r, "x.data", &diag), 0);
	assert_int_equal(count_replay_run(&r, &diag), 0);
	count_replay_notes(&r, &notes);
	assert_int_equal(notes.n, 1);
	assert_int_equal(notes.items[0].kind, NOTE_WARNING);
}

static void a_file_that_is_cut_is_told_of(void **state)
{
	unsigned tables = 0;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(count_replay_done) struct count_replay r = { .on_table = take_table,
							       .arg = &tables };

	(void)state;
	record();
	assert_int_equal(truncate("x.data", 104), 0);

	int error = count_replay_open(&r, "x.data", &diag);

	if (error >= 0)
		error = count_replay_run(&r, &diag);
	assert_true(error < 0);
	assert_non_null(diag.message);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_recorded_run_is_one_table),
		IN_FOLDER(its_title_is_the_command_line),
		IN_FOLDER(sums_over_cpus_of_a_task_are_refused_with_a_warning),
		IN_FOLDER(a_file_that_is_cut_is_told_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
