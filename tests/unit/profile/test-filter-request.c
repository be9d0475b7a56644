/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include "profile/filter-request.h"
#include "session/reading.h"
#include "scratch-folder.h"
#include "session/sample-filter.h"
#include "foreign/any-session.h"
#include "session/session.h"

static void windows_become_times(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(freep) struct time_span *spans = NULL;
	struct sample_filter_request r;
	struct filter_request f = { .comms = "a,b" };
	size_t offset;

	(void)state;
	example_recording("x.data");
	assert_int_equal(any_session_open(&(struct session_options){ .path = "x.data" }, &s, &diag),
			 0);
	assert_int_equal(time_window_parse("0.000000450,", &f.time, &offset), 0);
	assert_int_equal(reading_spans(&f.time, s, &spans, &diag), 0);
	r = filter_request_of_samples(&f, spans);
	assert_int_equal(r.n_spans, 1);
	assert_int_equal(r.spans[0].from_ns, 450);
	assert_string_equal(r.comms, "a,b");
	assert_ptr_equal(r.cpus, &f.cpus);
	filter_request_done(&f);
}

static void shares_are_those_of_the_recording(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(freep) struct time_span *spans = NULL;
	struct sample_filter_request r;
	struct filter_request f = { 0 };
	size_t offset;

	(void)state;
	example_recording("x.data");
	assert_int_equal(any_session_open(&(struct session_options){ .path = "x.data" }, &s, &diag),
			 0);
	assert_int_equal(time_window_parse("50%-100%", &f.time, &offset), 0);
	assert_int_equal(reading_spans(&f.time, s, &spans, &diag), 0);
	r = filter_request_of_samples(&f, spans);
	assert_int_equal(r.spans[0].from_ns, 450); /* samples are at 400 and 500 */
	assert_int_equal(r.spans[0].to_ns, 500);
	filter_request_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(windows_become_times, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(shares_are_those_of_the_recording,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
