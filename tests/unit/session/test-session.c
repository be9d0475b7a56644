/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>

#include "session/machine.h"
#include "symbol/symbolizer.h"

static void a_file_that_is_not_there_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = NULL;

	(void)state;
	assert_int_equal(
		session_open(&(struct session_options){ .path = "/nonexistent/file" }, &s, &diag),
		-ENOENT);
	assert_null(s);
	assert_non_null(diag.message);
}

static void the_events_of_a_file_are_known_when_it_is_open(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	(void)state;
	assert_int_equal(session_event_count(s), 2);
	assert_string_equal(session_event(s, 0)->name, "cpu-clock");
	assert_string_equal(session_event(s, 1)->name, "task-clock");
	assert_int_equal(session_event(s, 1)->index, 1);
	assert_int_equal(session_event(s, 1)->leader, 1);
	assert_ptr_equal(session_event_by_id(s, 2), session_event(s, 1));
	assert_null(session_event_by_id(s, 3));
	assert_null(session_tracing_data(s));
	assert_int_equal(session_counts(s)->samples, 0);
	assert_int_equal(datafile_event_count(session_datafile(s)), 2);
}

/* Without a symbolizer of the caller, images are distinguished but nothing is loaded. */
static void images_need_no_symbols(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct location l;

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x10000, "/proc/self/exe", 0);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	assert_true(machine_resolve(s, 7, ADDRESS_USER, 0x10000, 1, &l));
	assert_null(l.sym);
	assert_int_equal(image_missing_reason(l.map->image), IMAGE_NOT_TRIED);
}

/* The build-id is too long for its field. */
static void a_map_that_cannot_be_understood_is_counted(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct location l;

	(void)state;
	rec.attr.build_id = 1;
	add(&rec,
	    (struct record){
		    .header = { .type = PERF_RECORD_MMAP2,
				.misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID },
		    .mmap = { .pid = 7,
			      .addr = 0x10000,
			      .len = 0x10000,
			      .build_id.size = 21,
			      .filename = "/bin/x" } },
	    1);
	mmaps(&rec, 7, 0x30000, 0x10000, "/bin/y", 1);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	assert_false(machine_locate(s, 7, ADDRESS_USER, 0x10000, 2, &l));
	assert_true(machine_locate(s, 7, ADDRESS_USER, 0x30000, 2, &l));
	assert_int_equal(session_counts(s)->malformed_maps, 1);
	assert_int_equal(session_counts(s)->malformed_map.type, PERF_RECORD_MMAP2);
	assert_int_not_equal(session_counts(s)->malformed_map_offset, 0);
	assert_int_equal(session_counts(s)->malformed, 1);
}

static void freeing_nothing_is_fine(void **state)
{
	(void)state;
	session_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
		cmocka_unit_test(the_events_of_a_file_are_known_when_it_is_open),
		cmocka_unit_test(images_need_no_symbols),
		cmocka_unit_test(a_map_that_cannot_be_understood_is_counted),
		cmocka_unit_test(freeing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
