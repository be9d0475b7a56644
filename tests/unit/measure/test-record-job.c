/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "measure/record-job.h"
#include "words.h"

/* A job and the objects that it needs. */
struct fixture {
	struct notes notes;
	struct diag diag;
	struct record_job job;
};

static void begin(struct fixture *f, const struct record_request *rq)
{
	*f = (struct fixture){ 0 };
	f->job = record_job_new(rq, &f->notes, &f->diag);
}

static void fixture_done(struct fixture *f)
{
	record_job_done(&f->job);
	notes_done(&f->notes);
	diag_done(&f->diag);
}

static char *const command[] = { "/bin/true", NULL };

static void events_are_completed_for_sampling(void **state)
{
	const struct record_request rq = { .argv = command,
					   .events = WORDS(E("page-faults:u")),
					   .sampling.rate = { SAMPLING_PERIOD, 3 } };
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	begin(&f, &rq);
	assert_int_equal(record_job_prepare(&f.job), 0);
	assert_true(f.job.planned);
	assert_false(f.job.system);
	assert_int_equal(f.job.events.items[0]->attr.sample_period, 3);
	assert_true(f.job.events.items[0]->attr.sample_type & PERF_SAMPLE_IP);
}

static void an_unknown_event_is_no_plan(void **state)
{
	const struct record_request rq = { .argv = command, .events = WORDS(E("no-such-event")) };
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	begin(&f, &rq);
	assert_true(record_job_prepare(&f.job) < 0);
	assert_non_null(f.diag.message);
	assert_false(record_job_result(&f.job, &f.job.recording.loop).planned);
}

static void it_ends_with_the_tasks_it_is_about(void **state)
{
	int self = getpid();
	struct record_request rq = { .events = WORDS(E("page-faults:u")) };
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	rq.target.pids.items = &self;
	rq.target.pids.n = 1;
	begin(&f, &rq);
	assert_int_equal(record_job_prepare(&f.job), 0);
	assert_true(record_job_ends_with_tasks(&f.job));
	rq.argv = command;
	assert_false(record_job_ends_with_tasks(&f.job));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_completed_for_sampling),
		cmocka_unit_test(an_unknown_event_is_no_plan),
		cmocka_unit_test(it_ends_with_the_tasks_it_is_about),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
