/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include "measure/record-finish.h"

/* The options with which a recording was finished. */
static struct record_finish_options noted;
static int noted_error;

static int finish_noted(const struct record_finish_options *o, struct features *f,
			struct record_findings *ret, struct diag *diag)
{
	noted = *o;
	return noted_error ? noted_error : record_finish(o, f, ret, diag);
}

#define record_finish finish_noted
#include "tools/top/save-work.c"
#undef record_finish

#include "example-top.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "foreign/any-session.h"
#include "scratch-folder.h"

static const struct synth_plan nothing = { .attr = &(struct attr){ 0 },
					   .root = "/nowhere",
					   .no_bpf_event = true,
					   .no_tasks = true,
					   .no_maps = true };

static void begin(struct example_top *e, size_t half_bytes)
{
	example_top_init(e, "pid");
	e->t.buffer.half_bytes = half_bytes;
	top_buffer_begin(&e->t.buffer, &nothing);
}

static int count_them(void *arg, const struct sample_batch *b)
{
	*(size_t *)arg += b->n;
	return 0;
}

/* Returns the number of samples in a finished recording. */
static size_t samples_in(const char *path)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	size_t n = 0;
	const struct consumer consumer = { .samples = count_them, .arg = &n };
	struct session *s;

	assert_int_equal(any_session_open(&(struct session_options){ .path = path }, &s, &diag), 0);
	assert_int_equal(session_feed(s, NULL, &consumer, &diag), 0);
	assert_int_equal(session_event_count(s), 2);
	assert_int_equal(session_damage_count(s), 0);
	session_free(s);
	return n;
}

static void what_is_kept_becomes_a_recording(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	begin(&e, 1 << 20);
	example_top_samples_of(&e, 7, 5);
	top_buffer_end_pass(&e.t.buffer, &nothing);
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_null(e.diag.message);
	assert_int_equal(samples_in("saved"), 5);
	/* Saved samples stay in the buffer. */
	example_top_samples_of(&e, 8, 4);
	assert_int_equal(top_write(&e.t, "saved.2", &e.diag), 0);
	assert_int_equal(samples_in("saved.2"), 9);
	assert_int_equal(samples_in("saved"), 5);
}

static void both_halves_are_written_and_nothing_older(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	begin(&e, 400);
	for (size_t i = 0; i < 3; i++) {
		example_top_samples_of(&e, 7, 20 + i);
		top_buffer_end_pass(&e.t.buffer, &nothing);
	}
	example_top_samples_of(&e, 7, 3);
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_int_equal(samples_in("saved"), 22 + 3);
}

static void an_older_file_is_moved_away(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	begin(&e, 1 << 20);
	example_top_samples_of(&e, 7, 5);
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	example_top_samples_of(&e, 7, 1);
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_int_equal(samples_in("saved"), 6);
	assert_int_equal(samples_in("saved.old"), 5);
}

static void without_samples_it_is_a_recording_too(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	begin(&e, 0);
	example_top_samples_of(&e, 7, 5);
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_int_equal(samples_in("saved"), 0);
}

static void where_no_file_can_be_made_the_path_is_named(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	begin(&e, 1 << 20);
	example_top_samples_of(&e, 7, 5);
	assert_int_equal(top_write(&e.t, "no/such/folder", &e.diag), -ENOENT);
	assert_non_null(strstr(e.diag.message, "no/such/folder"));
	/* Saving works as before. */
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_int_equal(samples_in("saved"), 5);
}

static void a_full_disk_is_an_error(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	int r;

	(void)state;
	begin(&e, 64 << 20);
	example_top_samples_of(&e, 7, 50000);
	if (access("/dev/full", W_OK) < 0) {
		print_message("# there is no /dev/full\n");
		skip();
	}
	assert_int_equal(symlink("/dev/full", "full"), 0);
	r = top_write(&e.t, "/dev/full", &e.diag);
	assert_true(r < 0);
	assert_non_null(e.diag.message);
}

static void times_of_the_samples_are_told(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s;

	(void)state;
	begin(&e, 1 << 20);
	sampled(&e.rec, 1, 7, 4000);
	sampled(&e.rec, 1, 7, 9000);
	example_top_pass(&e);
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_int_equal(any_session_open(&(struct session_options){ .path = "saved" }, &s, &diag),
			 0);
	assert_int_equal(session_features(s)->sample_time.first, 4000);
	assert_int_equal(session_features(s)->sample_time.last, 9000);
	session_free(s);
}

/* If naming the files fails, the data is saved nevertheless. No copies of files are made. */
static void files_are_named_and_not_copied(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	begin(&e, 1 << 20);
	example_top_samples_of(&e, 7, 5);
	e.job.kept = NULL;
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	assert_true(noted.no_cache);
	assert_null(noted.kept);
	noted_error = -EIO;
	assert_int_equal(top_write(&e.t, "saved", &e.diag), 0);
	noted_error = 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_kept_becomes_a_recording,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test_setup_teardown(both_halves_are_written_and_nothing_older,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test_setup_teardown(an_older_file_is_moved_away, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(without_samples_it_is_a_recording_too,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test_setup_teardown(where_no_file_can_be_made_the_path_is_named,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test_setup_teardown(a_full_disk_is_an_error, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(times_of_the_samples_are_told, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(files_are_named_and_not_copied,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
