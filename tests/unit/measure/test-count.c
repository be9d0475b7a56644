/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/diag.h"
#include "base/notes.h"
#include "measure/count.h"
#include "words.h"

/* perf itself measures `duration_time`, so these tests need no right to open events. */
#define TIME WORDS(E("duration_time"))

/* A job and its result. */
struct counted {
	struct count_job job;
	struct notes notes;
	struct diag diag;
	unsigned tables;
};

static void counted_done(struct counted *c)
{
	count_job_done(&c->job);
	notes_done(&c->notes);
	diag_done(&c->diag);
}

static void take_table(void *arg, const struct stat_table *table)
{
	struct counted *c = arg;

	assert_int_equal(table->n_rows, 1);
	c->tables++;
}

static int count(struct counted *c, const struct count_request *rq)
{
	int r;

	count_job_init(&c->job, rq, &c->notes, &c->diag);
	c->job.on_table = take_table;
	c->job.arg = c;
	r = count_job_prepare(&c->job);
	return r < 0 ? r : count_job_run(&c->job);
}

static char *const true_argv[] = { "true", NULL };
static char *const false_argv[] = { "false", NULL };

static void a_request_alone_counts_a_command(void **state)
{
	const struct count_request rq = { .argv = true_argv, .events = TIME };
	_cleanup_(counted_done) struct counted c = { 0 };
	struct stat_table table;

	(void)state;
	assert_int_equal(count(&c, &rq), 0);
	count_job_table(&c.job, &table);
	assert_int_equal(table.n_rows, 1);
	assert_string_equal(table.rows[0].event->name, "duration_time");
	assert_true(table.rows[0].count > 0);
	assert_true(table.has_rusage);
	assert_int_equal(table.runs, 1);
	assert_int_equal(c.tables, 0);
}

static void runs_are_averaged(void **state)
{
	const struct count_request rq = {
		.argv = true_argv, .events = TIME, .repeat.runs = 3, .verbose = true
	};
	_cleanup_(counted_done) struct counted c = { 0 };
	struct stat_table table;

	(void)state;
	assert_int_equal(count(&c, &rq), 0);
	count_job_table(&c.job, &table);
	assert_int_equal(table.runs, 3);
	assert_string_equal(c.notes.items[2].what.message, "[ perf stat: executing run #3 ... ]");
}

static void each_interval_has_a_table(void **state)
{
	char *const argv[] = { "sleep", "5", NULL };
	const struct count_request rq = {
		.argv = argv, .events = TIME, .interval_ms = 10, .interval_count = 2
	};
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	assert_int_equal(count(&c, &rq), 0);
	assert_int_equal(c.tables, 2);
	assert_int_equal(c.job.loop.end, LOOP_END_INTERVALS);
}

static void the_commands_status_is_kept(void **state)
{
	const struct count_request rq = { .argv = false_argv, .events = TIME };
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	assert_int_equal(count(&c, &rq), 0);
	assert_int_equal(WEXITSTATUS(c.job.loop.wait_status), 1);
}

static void a_command_that_does_not_exist_is_an_error(void **state)
{
	char *const argv[] = { "/no/such/program", NULL };
	const struct count_request rq = { .argv = argv, .events = TIME };
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	assert_int_equal(count(&c, &rq), -ENOENT);
	assert_non_null(strstr(c.diag.message, "/no/such/program"));
	assert_true(c.job.planned);
}

static void a_wrong_event_is_an_error_of_usage(void **state)
{
	const struct count_request rq = { .argv = true_argv, .events = WORDS(E("cyclez")) };
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	assert_true(count(&c, &rq) < 0);
	assert_false(c.job.planned);
}

static void without_what_comes_before_nothing_is_counted(void **state)
{
	const struct count_request rq = { .argv = true_argv, .events = TIME, .pre = "exit 1" };
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	assert_int_equal(count(&c, &rq), -ECANCELED);
}

static void what_fails_afterwards_is_a_warning(void **state)
{
	const struct count_request rq = { .argv = true_argv, .events = TIME, .post = "exit 1" };
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	assert_int_equal(count(&c, &rq), 0);
	assert_int_equal(c.notes.n, 1);
	assert_int_equal(c.notes.items[0].kind, NOTE_WARNING);
	assert_string_equal(c.notes.items[0].what.message, "--post 'exit 1' failed");
}

static void a_job_can_be_looked_at_instead_of_run(void **state)
{
	const struct count_request rq = { .events = TIME, .target.all_cpus = true };
	_cleanup_(counted_done) struct counted c = { 0 };
	struct stat_table table;

	(void)state;
	count_job_init(&c.job, &rq, &c.notes, &c.diag);
	assert_int_equal(count_job_begin(&c.job), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(count_job_look(&c.job, &table), 0);
		assert_int_equal(table.n_rows, 1);
		assert_true(table.interval);
		assert_true(table.rows[0].count > 0);
	}
}

static void a_wrong_event_is_not_begun(void **state)
{
	const struct count_request rq = { .events = WORDS(E("no-such-event")) };
	_cleanup_(counted_done) struct counted c = { 0 };

	(void)state;
	count_job_init(&c.job, &rq, &c.notes, &c.diag);
	assert_true(count_job_begin(&c.job) < 0);
	assert_non_null(c.diag.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_alone_counts_a_command),
		cmocka_unit_test(runs_are_averaged),
		cmocka_unit_test(each_interval_has_a_table),
		cmocka_unit_test(the_commands_status_is_kept),
		cmocka_unit_test(a_command_that_does_not_exist_is_an_error),
		cmocka_unit_test(a_wrong_event_is_an_error_of_usage),
		cmocka_unit_test(without_what_comes_before_nothing_is_counted),
		cmocka_unit_test(what_fails_afterwards_is_a_warning),
		cmocka_unit_test(a_job_can_be_looked_at_instead_of_run),
		cmocka_unit_test(a_wrong_event_is_not_begun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
