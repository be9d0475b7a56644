/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "profile/flamegraph.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct flamegraph_request rq;
	struct flamegraph g;
	struct notes notes;
	struct diag diag;
};

/* Sets up two samples of "work" of the first event, and one of "idle" of the second. */
static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	comm(&f.rec, 7, 7, "work", 1);
	comm(&f.rec, 8, 8, "idle", 1);
	sampled(&f.rec, 1, 7, 1000);
	sampled(&f.rec, 1, 7, 2000);
	sampled(&f.rec, 2, 8, 3000);
	f.rq.profile.max_stack = PROFILE_MAX_STACK;
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	flamegraph_done(&f->g);
	filter_request_done(&f->rq.profile.filter);
	notes_done(&f->notes);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

static int make(struct fixture *f)
{
	stored(&f->rec, f->path);
	f->rq.profile.path = f->path;
	return flamegraph_make(&f->g, &f->rq, &f->notes, &f->diag);
}

/* Makes a graph of folded lines. */
static int make_of(struct fixture *f, const char *lines)
{
	f->rec.fd = memfd_create("lines", MFD_CLOEXEC);
	assert_int_equal(write(f->rec.fd, lines, strlen(lines)), strlen(lines));
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->rec.fd);
	f->rq.profile.path = f->path;
	return flamegraph_make(&f->g, &f->rq, &f->notes, &f->diag);
}

static bool has_note(const struct fixture *f, const char *part)
{
	for (size_t i = 0; i < f->notes.n; i++)
		if (strstr(f->notes.items[i].what.message, part))
			return true;
	return false;
}

static void the_first_event_with_samples_is_drawn_on_commands(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(make(f), 0);
	assert_false(f->g.is_folded);
	assert_string_equal(f->g.unit, "samples");
	assert_int_equal(f->g.flame->boxes[0].value[FLAME_AFTER].total, 2);
	assert_string_equal(f->g.flame->boxes[1].name, "work");
	assert_true(has_note(f, "--event chooses another"));
	assert_true(has_note(f, "have no stacks"));
}

static void another_event_may_be_chosen(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.event = "task-clock";
	assert_int_equal(make(f), 0);
	assert_string_equal(f->g.event, "task-clock");
	assert_int_equal(f->g.flame->boxes[0].value[FLAME_AFTER].total, 1);
	assert_string_equal(f->g.flame->boxes[1].name, "idle");
	assert_false(has_note(f, "--event"));
}

static void an_unknown_event_is_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.event = "nothing";
	assert_int_equal(make(f), -ENODATA);
	assert_non_null(strstr(f->diag.hint, "task-clock"));
}

static void a_recording_without_samples_is_refused(void **state)
{
	struct fixture *f = *state;

	recording_done(&f->rec);
	f->rec = recording_new();
	comm(&f->rec, 7, 7, "work", 1);
	assert_int_equal(make(f), -ENODATA);
	assert_non_null(f->diag.hint);
}

static void roots_that_samples_do_not_tell_are_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.has_roots = true;
	f->rq.choice.roots = (struct flame_roots){ { FLAME_ROOT_CPU }, 1 };
	assert_int_equal(make(f), -EINVAL);
	assert_string_equal(f->diag.hint, "Record with -a, -C or --sample-cpu.");
}

static void a_field_that_nobody_has_is_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.weight = "bytes";
	assert_int_equal(make(f), -EINVAL);
	assert_string_equal(f->diag.message, "no event has a numeric field 'bytes'");
}

static void lines_are_read_too(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(make_of(f, "sh;main;read 2\nnonsense\n"), 0);
	assert_true(f->g.is_folded);
	assert_int_equal(f->g.flame->n, 4);
	assert_true(has_note(f, "1 of 2 lines are left out: line 2 because it does not end"));
}

static void lines_with_two_counts_are_compared(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(make_of(f, "sh;a 1 900\nsh;b 900 1\n"), 0);
	assert_true(f->g.flame->is_comparison);
	assert_int_equal(f->g.flame->boxes[2].change, FLAME_MORE);
}

static void lines_have_nothing_to_filter_by(void **state)
{
	struct fixture *f = *state;

	f->rq.profile.filter.comms = "sh";
	assert_int_equal(make_of(f, "sh;main 1\n"), -EINVAL);
	assert_non_null(strstr(f->diag.hint, "grep"));
}

static void text_without_a_stack_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(make_of(f, "hello\n"), -ENODATA);
	assert_non_null(strstr(f->diag.message, "line 1"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_first_event_with_samples_is_drawn_on_commands),
		TEST(another_event_may_be_chosen),
		TEST(an_unknown_event_is_refused),
		TEST(a_recording_without_samples_is_refused),
		TEST(roots_that_samples_do_not_tell_are_refused),
		TEST(a_field_that_nobody_has_is_refused),
		TEST(lines_are_read_too),
		TEST(lines_with_two_counts_are_compared),
		TEST(lines_have_nothing_to_filter_by),
		TEST(text_without_a_stack_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
