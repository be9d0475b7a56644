/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "datafile/reader.h"
#include "measure/record.h"
#include "scratch-folder.h"
#include "skip.h"
#include "words.h"

/* A recording and its result. */
struct recorded {
	struct record_result result;
	struct notes notes;
	struct diag diag;
};

static void recorded_done(struct recorded *r)
{
	notes_done(&r->notes);
	diag_done(&r->diag);
}

static int record(const struct record_request *rq, struct recorded *r)
{
	return record_run(rq, &r->notes, &r->result, &r->diag);
}

static bool was_said(const struct recorded *r, const char *words)
{
	for (size_t i = 0; i < r->notes.n; i++)
		if (strstr(r->notes.items[i].what.message, words))
			return true;
	return false;
}

/* A workload that maps pages, so that a software event has something to sample. */
static char *const workload[] = { "/bin/sh", "-c", "for i in 1 2 3; do /bin/true; done", NULL };

/* Samples of its page faults in user space, which every user may record. */
static const struct record_request faults = {
	.argv = workload,
	.events = WORDS(E("page-faults:u")),
	.sampling.rate = { SAMPLING_PERIOD, 1 },
	.output.path = "x.data",
};

static void need_events(int r)
{
	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip_because("events cannot be opened here");
}

static void a_request_alone_makes_a_recording(void **state)
{
	_cleanup_(recorded_done) struct recorded r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct datafile *df = NULL;
	int error = record(&faults, &r);

	(void)state;
	need_events(error);
	assert_int_equal(error, 0);
	assert_true(r.result.planned);
	assert_true(r.result.reaped);
	assert_int_equal(r.result.end, LOOP_END_WORKLOAD);
	assert_int_equal(WEXITSTATUS(r.result.wait_status), 0);
	assert_true(was_said(&r, "Captured and wrote"));
	assert_int_equal(datafile_open("x.data", false, &df, &diag), 0);
	assert_string_equal(datafile_features(df)->event_descs.items[0].name, "page-faults:u");
	datafile_free(df);
}

static void the_commands_status_is_kept(void **state)
{
	char *const argv[] = { "/bin/sh", "-c", "exit 3", NULL };
	_cleanup_(recorded_done) struct recorded r = { 0 };
	struct record_request rq = faults;
	int error;

	(void)state;
	rq.argv = argv;
	error = record(&rq, &r);
	need_events(error);
	assert_int_equal(error, 0);
	assert_int_equal(WEXITSTATUS(r.result.wait_status), 3);
}

static void a_dry_run_writes_nothing(void **state)
{
	_cleanup_(recorded_done) struct recorded r = { 0 };
	struct record_request rq = faults;

	(void)state;
	rq.dry_run = true;
	assert_int_equal(record(&rq, &r), 0);
	assert_true(r.result.planned);
	assert_int_not_equal(access("x.data", F_OK), 0);
}

static void a_wrong_event_is_an_error_of_usage(void **state)
{
	_cleanup_(recorded_done) struct recorded r = { 0 };
	struct record_request rq = faults;

	(void)state;
	rq.events = (struct event_words)WORDS(E("cyclez"));
	assert_true(record(&rq, &r) < 0);
	assert_false(r.result.planned);
	assert_non_null(r.diag.message);
}

static void a_command_that_does_not_exist_leaves_no_file(void **state)
{
	char *const argv[] = { "/no/such/program", NULL };
	_cleanup_(recorded_done) struct recorded r = { 0 };
	struct record_request rq = faults;
	int error;

	(void)state;
	rq.argv = argv;
	error = record(&rq, &r);
	need_events(error);
	assert_int_equal(error, -ENOENT);
	assert_non_null(strstr(r.diag.message, "/no/such/program"));
	assert_int_not_equal(access("x.data", F_OK), 0);
}

static void take_name(void *arg, const struct event *e, bool with_attr)
{
	assert_string_equal(e->name, "page-faults:u");
	assert_true(with_attr);
	(*(unsigned *)arg)++;
}

static void details_are_told_when_they_are_asked_for(void **state)
{
	_cleanup_(recorded_done) struct recorded r = { 0 };
	struct record_request rq = faults;
	unsigned listed = 0;
	int error;

	(void)state;
	rq.verbose = 2;
	rq.on_list = take_name;
	rq.arg = &listed;
	error = record(&rq, &r);
	need_events(error);
	assert_int_equal(error, 0);
	assert_int_equal(listed, 1);
	assert_true(was_said(&r, "ring buffers of"));
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_request_alone_makes_a_recording),
		IN_FOLDER(the_commands_status_is_kept),
		IN_FOLDER(a_dry_run_writes_nothing),
		IN_FOLDER(a_wrong_event_is_an_error_of_usage),
		IN_FOLDER(a_command_that_does_not_exist_leaves_no_file),
		IN_FOLDER(details_are_told_when_they_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
