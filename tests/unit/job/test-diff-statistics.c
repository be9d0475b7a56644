/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "job/diff-statistics.h"
#include "job/diff.h"
#include "profile/diff-repeats.h"

struct fixture {
	struct recording recs[2];
	char paths[2][32];
	char *argv[3];
	struct diff_request rq;
	struct diff_job job;
	struct diag diag;
};

/* Two recordings, with one and with three samples of process 7. */
static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rq.order = 1 };
	for (size_t i = 0; i < 2; i++) {
		f.recs[i] = recording_new();
		comm(&f.recs[i], 7, 7, "work", 1);
		for (size_t k = 0; k < 1 + 2 * i; k++)
			sampled(&f.recs[i], 1, 7, 1000 * (k + 1));
		stored(&f.recs[i], f.paths[i]);
		f.argv[i] = f.paths[i];
	}
	f.rq.argc = 2;
	f.rq.argv = f.argv;
	f.rq.sort = "comm";
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	diff_job_close(&f->job);
	diff_request_done(&f->rq);
	diag_done(&f->diag);
	for (size_t i = 0; i < 2; i++)
		recording_done(&f->recs[i]);
	return 0;
}

static int read_all(struct fixture *f)
{
	int r = diff_job_open(&f->job, &f->rq, &f->diag);

	return r < 0 ? r : diff_job_read(&f->job, &f->diag);
}

static void limits_are_judged_where_their_row_is(void **state)
{
	struct fixture *f = *state;
	_cleanup_(diff_statistics_done) struct diff_statistics s = { 0 };

	assert_int_equal(thresholds_parse(&f->rq.limits, "work > +2%", &f->diag), 0);
	assert_int_equal(read_all(f), 0);
	assert_int_equal(diff_statistics_make(&s, &f->job, &f->diag), 0);
	assert_int_equal(s.n, RECORDING_EVENTS);
	assert_int_equal(s.parts[0].results.n, 1);
	/* One recording a side tells nothing. */
	assert_int_equal(s.parts[0].results.n_unknown, 1);
	assert_int_equal(s.parts[1].results.n, 0);
}

static void a_limit_of_a_row_that_nobody_has_is_refused(void **state)
{
	struct fixture *f = *state;
	_cleanup_(diff_statistics_done) struct diff_statistics s = { 0 };

	assert_int_equal(thresholds_parse(&f->rq.limits, "wrok > +2%", &f->diag), 0);
	assert_int_equal(read_all(f), 0);
	assert_int_equal(diff_statistics_make(&s, &f->job, &f->diag), -ENOENT);
	assert_string_equal(f->diag.message, "'wrok' is limited, but no recording has it");
	assert_string_equal(f->diag.hint, "Did you mean 'work'?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(limits_are_judged_where_their_row_is),
		TEST(a_limit_of_a_row_that_nobody_has_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
