/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "profile/profile.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct profile_request rq;
	struct profile profile;
	struct diag diag;
};

/* Sets up samples of the first event: two of process 7, and one of process 8. */
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

	profile_done(&f->profile);
	filter_request_done(&f->rq.filter);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

static int collect(struct fixture *f)
{
	int r;

	stored(&f->rec, f->path);
	f->rq.path = f->path;
	r = profile_open(&f->profile, &f->rq, &f->diag);
	return r < 0 ? r : profile_collect(&f->profile, &f->diag);
}

static uint64_t counted(const struct fixture *f, size_t event)
{
	return collector_tally(f->profile.collector, event)->total.samples;
}

static void samples_are_told_apart_by_the_keys(void **state)
{
	struct fixture *f = *state;
	const struct tally *t;

	assert_int_equal(collect(f), 0);
	assert_true(profile_has_samples(&f->profile));
	assert_int_equal(counted(f, 0), 3);
	assert_int_equal(counted(f, 1), 0);
	t = collector_tally(f->profile.collector, 0);
	assert_int_equal(t->contexts.n, 2);
}

static void a_window_of_time_leaves_samples_out(void **state)
{
	struct fixture *f = *state;
	size_t offset;

	assert_int_equal(time_window_parse("0.000002,", &f->rq.filter.time, &offset), 0);
	assert_int_equal(collect(f), 0);
	assert_int_equal(counted(f, 0), 2);
}

static void keys_that_do_not_exist_are_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.plan.sort = "colour";
	assert_int_equal(collect(f), -EINVAL);
	assert_non_null(f->diag.message);
}

static void stacks_that_are_required_must_be_there(void **state)
{
	struct fixture *f = *state;

	f->rq.requires_stacks = true;
	assert_int_equal(collect(f), -ENODATA);
	assert_string_equal(f->diag.hint, "Record with -g, or leave -g out.");
}

static void the_key_parent_needs_stacks(void **state)
{
	struct fixture *f = *state;

	f->rq.plan.sort = "parent";
	assert_int_equal(collect(f), -ENODATA);
	assert_string_equal(f->diag.hint, "Record with -g, or sort by other keys.");
}

static void a_file_of_symbols_that_cannot_be_read_is_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.symbols.kallsyms = "/nowhere/kallsyms";
	assert_int_equal(collect(f), -ENOENT);
	assert_non_null(strstr(f->diag.message, "--kallsyms"));
}

static void a_recording_without_samples_has_none(void **state)
{
	struct fixture *f = *state;
	_cleanup_(notes_done) struct notes notes = { 0 };

	recording_done(&f->rec);
	f->rec = recording_new();
	assert_int_equal(collect(f), 0);
	assert_false(profile_has_samples(&f->profile));
	assert_true(profile_sample_types(&f->profile) & PERF_SAMPLE_TIME);
	/* A header without data is that of a recorder that was killed. */
	profile_note(&f->profile, &notes);
	assert_true(notes.n > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(samples_are_told_apart_by_the_keys),
		TEST(a_window_of_time_leaves_samples_out),
		TEST(keys_that_do_not_exist_are_refused),
		TEST(stacks_that_are_required_must_be_there),
		TEST(the_key_parent_needs_stacks),
		TEST(a_file_of_symbols_that_cannot_be_read_is_refused),
		TEST(a_recording_without_samples_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
