/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "tools/test/runner-work.h"

static enum selftest_outcome passes(struct selftest_run *t)
{
	fprintf(t->out, "all is well\n");
	return SELFTEST_OK;
}

static enum selftest_outcome skips(struct selftest_run *t)
{
	return selftest_skip(t, "no %s here", "coffee");
}

static enum selftest_outcome fails(struct selftest_run *t)
{
	return selftest_fail(t, "%d is not 2", 3);
}

static enum selftest_outcome crashes(struct selftest_run *t)
{
	fprintf(t->out, "before\n");
	signal(SIGABRT, SIG_DFL);
	raise(SIGABRT);
	return SELFTEST_OK;
}

static enum selftest_outcome hangs(struct selftest_run *t)
{
	(void)t;
	for (;;)
		pause();
	return SELFTEST_OK;
}

static enum selftest_outcome leaves_children(struct selftest_run *t)
{
	(void)t;
	if (!fork())
		for (;;)
			pause();
	return SELFTEST_OK;
}

static enum selftest_outcome prints_much(struct selftest_run *t)
{
	for (int i = 0; i < 1000000; i++)
		fprintf(t->out, "line %d\n", i);
	return SELFTEST_OK;
}

static enum selftest_outcome is_in_an_empty_directory(struct selftest_run *t)
{
	FILE *f = fopen("file", "wx");

	if (!f)
		return selftest_fail(t, "not empty");
	fclose(f);
	return access("bin/perf", F_OK) ? SELFTEST_OK : selftest_fail(t, "it exists");
}

static const struct selftest tests[] = {
	{ .name = "passes", .run = passes },
	{ .name = "alone", .run = passes, .flags = SELFTEST_ALONE },
	{ .name = "skips", .run = skips },
	{ .name = "fails", .run = fails },
	{ .name = "crashes", .run = crashes },
	{ .name = "leaves children", .run = leaves_children },
	{ .name = "prints much", .run = prints_much },
	{ .name = "directory", .run = is_in_an_empty_directory },
	{ .name = "hangs", .run = hangs },
};

struct seen {
	size_t n, out_of_order;
	unsigned last;
};

static void finished(const struct selftest_row *row, const struct selftest_result *r, void *arg)
{
	struct seen *seen = arg;

	assert_true(r->finished);
	seen->n++;
	seen->out_of_order += row->suite < seen->last;
	seen->last = row->suite;
}

static struct selftest_options options_for(struct seen *seen)
{
	return (struct selftest_options){ .perf = "/nonexistent/perf",
					  .jobs = 4,
					  .limit_seconds = 5,
					  .script_limit_seconds = 5,
					  .finished = finished,
					  .arg = seen };
}

static void make_plan(struct selftest_plan *p, size_t n, unsigned runs)
{
	for (size_t i = 0; i < n; i++)
		selftest_plan_add(p, (const struct selftest *const[]){ &tests[i], NULL });
	for (size_t i = 0; i < p->rows.n; i++)
		p->rows.items[i].selected = true;
	selftest_plan_set_runs(p, runs);
}

static const struct selftest_result *result(const struct selftest_plan *p, size_t i)
{
	return &p->rows.items[i].results[0];
}

static void each_ends_as_it_should_and_is_shown_in_order(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	struct seen seen = { 0 };
	struct selftest_options o = options_for(&seen);

	(void)state;
	o.limit_seconds = 60;
	make_plan(&p, ARRAY_SIZE(tests) - 1, 1);
	assert_int_equal(selftest_run_plan(&p, &o), 0);
	assert_int_equal(seen.n, p.rows.n);
	assert_int_equal(seen.out_of_order, 0);
	assert_int_equal(result(&p, 0)->outcome, SELFTEST_OK);
	assert_string_equal(result(&p, 0)->output.chars, "all is well\n");
	assert_int_equal(result(&p, 1)->outcome, SELFTEST_OK);
	assert_int_equal(result(&p, 2)->outcome, SELFTEST_SKIP);
	assert_string_equal(result(&p, 2)->reason, "no coffee here");
	assert_int_equal(result(&p, 3)->outcome, SELFTEST_FAILED);
	assert_string_equal(result(&p, 3)->reason, "3 is not 2");
	assert_int_equal(result(&p, 4)->outcome, SELFTEST_FAILED);
	assert_non_null(strstr(result(&p, 4)->reason, "signal 6 (Aborted)"));
	assert_string_equal(result(&p, 4)->output.chars, "before\n");
	assert_int_equal(result(&p, 5)->outcome, SELFTEST_OK);
	assert_int_equal(result(&p, 6)->outcome, SELFTEST_OK);
	assert_true(result(&p, 6)->output.length <= 4 << 20);
	assert_int_equal(result(&p, 7)->outcome, SELFTEST_OK);
}

static void one_that_does_not_end_is_ended(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	struct seen seen = { 0 };
	struct selftest_options o = options_for(&seen);

	(void)state;
	o.limit_seconds = 1;
	make_plan(&p, ARRAY_SIZE(tests), 1);
	for (size_t i = 0; i + 1 < p.rows.n; i++)
		p.rows.items[i].selected = false;
	assert_int_equal(selftest_run_plan(&p, &o), 0);
	assert_int_equal(result(&p, p.rows.n - 1)->outcome, SELFTEST_FAILED);
	assert_string_equal(result(&p, p.rows.n - 1)->reason, "it did not end within 1 seconds");
}

static void what_is_passed_over_does_not_run(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	struct seen seen = { 0 };
	struct selftest_options o = options_for(&seen);

	(void)state;
	make_plan(&p, 2, 1);
	p.rows.items[0].passed_over = true;
	assert_int_equal(selftest_run_plan(&p, &o), 0);
	assert_int_equal(result(&p, 0)->outcome, SELFTEST_SKIP);
	assert_string_equal(result(&p, 0)->reason, "user override");
	assert_int_equal(result(&p, 0)->output.length, 0);
	assert_int_equal(result(&p, 1)->outcome, SELFTEST_OK);
}

static void tests_can_run_in_this_process_and_several_times(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(freep) char *before = getcwd(NULL, 0);
	_cleanup_(freep) char *after = NULL;
	struct selftest_totals sum;
	struct seen seen = { 0 };
	struct selftest_options o = options_for(&seen);

	(void)state;
	o.in_process = true;
	make_plan(&p, 4, 3);
	assert_int_equal(selftest_run_plan(&p, &o), 0);
	sum = selftest_plan_totals(&p);
	assert_int_equal(seen.n, 12);
	assert_int_equal(sum.passed_suites, 6);
	assert_int_equal(sum.skipped, 3);
	assert_int_equal(sum.failed, 3);
	assert_string_equal(p.rows.items[0].results[2].output.chars, "all is well\n");
	after = getcwd(NULL, 0);
	assert_string_equal(before, after);
}

static void a_stop_leaves_the_rest_unfinished(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	struct seen seen = { 0 };
	struct selftest_options o = options_for(&seen);
	const volatile sig_atomic_t stop = 1;

	(void)state;
	o.stop = &stop;
	make_plan(&p, 4, 1);
	assert_int_equal(selftest_run_plan(&p, &o), -EINTR);
	assert_int_equal(selftest_plan_totals(&p).unfinished, 4);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(each_ends_as_it_should_and_is_shown_in_order),
		cmocka_unit_test(one_that_does_not_end_is_ended),
		cmocka_unit_test(what_is_passed_over_does_not_run),
		cmocka_unit_test(tests_can_run_in_this_process_and_several_times),
		cmocka_unit_test(a_stop_leaves_the_rest_unfinished),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
