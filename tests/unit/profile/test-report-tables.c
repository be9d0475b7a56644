/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "profile/profile.h"
#include "profile/report-tables.h"
#include "profile/report-group.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct profile_request rq;
	struct report_tables_request wanted;
	struct profile profile;
	struct report_tables tables;
	struct diag diag;
};

/* Sets up two samples of process 7 and one of process 8, of the first of two events. */
static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	comm(&f.rec, 7, 7, "work", 1);
	comm(&f.rec, 8, 8, "idle", 1);
	sampled(&f.rec, 1, 7, 1000);
	sampled(&f.rec, 1, 7, 2000);
	sampled(&f.rec, 1, 8, 3000);
	f.rq.plan.sort = "comm";
	f.rq.max_stack = PROFILE_MAX_STACK;
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	report_tables_done(&f->tables);
	profile_done(&f->profile);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

static void sum_up(struct fixture *f)
{
	stored(&f->rec, f->path);
	f->rq.path = f->path;
	assert_int_equal(profile_open(&f->profile, &f->rq, &f->diag), 0);
	assert_int_equal(profile_collect(&f->profile, &f->diag), 0);
	report_tables_init(&f->tables, &f->profile, &f->wanted);
}

static void events_without_samples_have_no_table(void **state)
{
	struct fixture *f = *state;

	sum_up(f);
	assert_int_equal(f->tables.n_rows, 2);
	assert_int_equal(f->tables.n, 1);
	assert_int_equal(f->tables.items[0].first, 0);
	assert_int_equal(f->tables.items[0].n_events, 1);
	assert_int_equal(f->tables.items[0].whole.samples, 3);
	assert_int_equal(f->tables.items[0].group->n, 2);
	assert_string_equal(f->tables.items[0].names[0], f->tables.names[0]);
	assert_false(f->tables.items[0].has_stacks);
	assert_false(f->tables.items[0].is_group);
}

static void empty_tables_can_be_kept(void **state)
{
	struct fixture *f = *state;

	f->wanted.keep_empty = true;
	sum_up(f);
	assert_int_equal(f->tables.n, 2);
	assert_int_equal(f->tables.items[1].first, 1);
	assert_int_equal(f->tables.items[1].group->n, 0);
}

static void events_stand_side_by_side_if_that_is_asked_for(void **state)
{
	struct fixture *f = *state;

	sampled(&f->rec, 2, 8, 4000);
	f->wanted.group = CHOICE_YES;
	sum_up(f);
	assert_int_equal(f->tables.n, 1);
	assert_int_equal(f->tables.items[0].n_events, 2);
	assert_int_equal(f->tables.items[0].whole.samples, 4);
	assert_int_equal(f->tables.items[0].group->n, 2);
	assert_int_equal(f->tables.items[0].group->n_members, 2);
}

static void nothing_is_left_of_tables_that_are_done_with(void **state)
{
	struct fixture *f = *state;

	sum_up(f);
	report_tables_done(&f->tables);
	assert_int_equal(f->tables.n, 0);
	assert_int_equal(f->tables.n_rows, 0);
	assert_null(f->tables.items);
	assert_null(f->tables.rows);
	assert_null(f->tables.names);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(events_without_samples_have_no_table),
		TEST(empty_tables_can_be_kept),
		TEST(events_stand_side_by_side_if_that_is_asked_for),
		TEST(nothing_is_left_of_tables_that_are_done_with),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
