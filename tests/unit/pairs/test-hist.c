/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/notes.h"
#include "pairs/hist-job.h"
#include "pairs/hist.h"
#include "tracepoint/format.h"

struct told {
	uint64_t counts[8];
	uint64_t time_ns;
	unsigned tables;
};

static void on_table(void *arg, const struct histogram *h, uint64_t time_ns)
{
	struct told *t = arg;

	memcpy(t->counts, h->counts, histogram_rows(h) * sizeof(t->counts[0]));
	t->time_ns = time_ns;
	t->tables++;
}

static void a_table_has_what_is_new(void **state)
{
	struct told told = { 0 };
	const struct hist_request rq = { .event = "a:b",
					 .scale = { .max = 4 },
					 .listener = { NULL, on_table, &told } };
	struct notes notes = { 0 };
	struct diag diag = { 0 };
	struct hist_job j;

	(void)state;
	assert_int_equal(hist_job_init(&j, &rq, &notes, &diag), 0);
	hist_job_begin(&j);
	j.all.counts[1] = 10;
	hist_job_tell(&j, 100);
	assert_int_equal(told.counts[1], 10);
	j.all.counts[1] = 15;
	j.all.counts[3] = 1;
	hist_job_tell(&j, 200);
	assert_int_equal(told.counts[1], 5);
	assert_int_equal(told.counts[3], 1);
	assert_int_equal(told.time_ns, 200);
	assert_int_equal(told.tables, 2);
	hist_job_done(&j);
}

static void times_are_counted_in_nanoseconds_and_shown_in_their_unit(void **state)
{
	const struct hist_request rq = { .scale = { .max = 4 }, .unit_ns = 1000 };
	struct notes notes = { 0 };
	struct diag diag = { 0 };
	struct hist_job j;

	(void)state;
	assert_int_equal(hist_job_init(&j, &rq, &notes, &diag), 0);
	assert_int_equal(j.shown.bounds[2], 4);
	assert_int_equal(j.all.bounds[2], 4000);
	assert_true(j.shown.is_time);
	hist_job_done(&j);
}

static void times_that_are_too_long_are_refused(void **state)
{
	const struct hist_request rq = { .scale = { .max = INT64_MAX }, .unit_ns = 1000 };
	struct notes notes = { 0 };
	struct record_result result;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(hist_run(&rq, &notes, &result, &diag), -EINVAL);
	assert_non_null(strstr(diag.hint, "--unit"));
	diag_done(&diag);
}

static void a_recording_that_is_not_there_is_named(void **state)
{
	const struct hist_request rq = { .event = "a:b", .field = "c", .input = "/nowhere/x.data" };
	struct notes notes = { 0 };
	struct record_result result;
	struct diag diag = { 0 };

	(void)state;
	assert_true(hist_run(&rq, &notes, &result, &diag) < 0);
	assert_non_null(strstr(diag.message, "x.data"));
	diag_done(&diag);
}

static void numbers_are_offered_for_a_field_that_is_none(void **state)
{
	static const char text[] = "name: b\nID: 1\nformat:\n"
				   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
				   "\tfield:char name[16];\toffset:8;\tsize:16;\tsigned:0;\n"
				   "\tfield:int length;\toffset:24;\tsize:4;\tsigned:1;\n"
				   "\nprint fmt: \"\"\n";
	struct tracepoint_format *format = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(tracepoint_format_parse(text, &format, &diag), 0);
	assert_int_equal(hist_refuse_field("a:b", format, "lenght", &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "no field 'lenght' in a:b"));
	assert_non_null(strstr(diag.hint, "Did you mean 'length'?"));
	hist_refuse_field("a:b", format, "name", &diag);
	assert_non_null(strstr(diag.message, "not a number"));
	assert_non_null(strstr(diag.hint, "Its numbers: length."));
	hist_refuse_field("a:b", format, "", &diag);
	assert_non_null(strstr(diag.message, "which field"));
	tracepoint_format_free(format);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_what_is_new),
		cmocka_unit_test(times_are_counted_in_nanoseconds_and_shown_in_their_unit),
		cmocka_unit_test(times_that_are_too_long_are_refused),
		cmocka_unit_test(a_recording_that_is_not_there_is_named),
		cmocka_unit_test(numbers_are_offered_for_a_field_that_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
