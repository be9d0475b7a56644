/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <stdlib.h>

#include "base/notes.h"
#include "foreign/any-session.h"
#include "transform/inject.h"

struct fixture {
	struct recording rec;
	char input[32], output[32];
	struct inject_request rq;
	struct notes notes;
	struct diag diag;
};

static int set_up(void **state)
{
	static struct fixture f;
	int fd;

	f = (struct fixture){ .rec = recording_new(), .output = "/tmp/perf-inject-XXXXXX" };
	fd = mkstemp(f.output);
	if (fd < 0)
		return -1;
	close(fd);
	sampled(&f.rec, 1, 7, 1000);
	stored(&f.rec, f.input);
	f.rq = (struct inject_request){ .input = f.input, .output = f.output };
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->output);
	notes_done(&f->notes);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

static void a_recording_is_written_anew(void **state)
{
	struct fixture *f = *state;
	_cleanup_(session_freep) struct session *s = NULL;

	assert_int_equal(inject_run(&f->rq, &f->notes, &f->diag), 0);
	assert_int_equal(
		any_session_open(&(struct session_options){ .path = f->output }, &s, &f->diag), 0);
	assert_int_equal(session_scan(s, &f->diag), 0);
	assert_int_equal(session_counts(s)->samples, 1);
}

static void stacks_that_were_not_copied_are_a_warning(void **state)
{
	struct fixture *f = *state;

	f->rq.unwind = true;
	f->rq.verbose = true;
	assert_int_equal(inject_run(&f->rq, &f->notes, &f->diag), 0);
	/* The first note is that the recording was never finished. */
	assert_int_equal(f->notes.n, 3);
	assert_int_equal(f->notes.items[1].kind, NOTE_WARNING);
	assert_string_equal(f->notes.items[1].what.message, "no sample has a copy of its stack");
	assert_int_equal(f->notes.items[2].kind, NOTE_DETAIL);
	assert_string_equal(f->notes.items[2].what.message, "0 stacks unwound");
}

static void build_ids_must_be_such(void **state)
{
	struct fixture *f = *state;

	f->rq.known_build_ids = "nonsense";
	assert_true(inject_run(&f->rq, &f->notes, &f->diag) < 0);
	assert_non_null(f->diag.message);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_recording_is_written_anew),
		TEST(stacks_that_were_not_copied_are_a_warning),
		TEST(build_ids_must_be_such),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
