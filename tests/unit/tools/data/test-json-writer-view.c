/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tracepoint/format.h"
#include "tracepoint/plan.h"
#include "tools/data/json-writer-view.h"

struct fixture {
	struct recording rec;
	struct session *s;
	struct tracepoint_machine machine;
	struct json_style style;
	struct sample_writer writer;
};

static void fixture_init(struct fixture *f, bool all)
{
	*f = (struct fixture){ .rec = recording_new() };
	comm(&f->rec, 7, 7, "\xff\x1b", 1);
	f->s = opened(&f->rec, false);

	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(session_scan(f->s, &d), 0);
	f->style = (struct json_style){ .session = f->s, .tracepoints = &f->machine, .all = all };
	sample_writer_init(&f->writer, &f->style);
}

static void fixture_done(struct fixture *f)
{
	sample_writer_done(&f->writer);
	session_free(f->s);
	recording_done(&f->rec);
}

static void assert_has(const struct fixture *f, const char *part)
{
	if (!strstr(f->writer.out.chars, part))
		fail_msg("'%s' is not in: %s", part, f->writer.out.chars);
}

static void write_sample(struct fixture *f, const struct session_event *e, const struct sample *s,
			 uint64_t period)
{
	sample_writer_sample(&f->writer,
			     &(struct session_sample){ .event = e, .sample = s, .period = period });
}

static void names_are_valid_text(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;
	const struct session_event e = { .name = "x",
					 .attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

	fixture_init(&f, false);
	write_sample(&f, &e, &(struct sample){ .pid = 7, .tid = 7, .time = 5 }, 1);
	assert_has(&f, "\"comm\": \"\\ufffd\\u001b\"");
	assert_has(&f, "\"callchain\": [\n\t\t\t]\n\t\t}");
}

static void what_was_not_recorded_is_minus_one_or_left_out(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;
	const struct session_event e = { .name = "x", .attr.sample_type = PERF_SAMPLE_IP };

	fixture_init(&f, false);
	write_sample(&f, &e,
		     &(struct sample){ .pid = UINT32_MAX, .tid = UINT32_MAX, .ip = UINT64_MAX }, 1);
	assert_has(&f, ",\n\t\t{\n\t\t\t\"timestamp\": -1,\n\t\t\t\"pid\": -1,");
	assert_has(&f, "\"ip\": \"0xffffffffffffffff\"");
	assert_null(strstr(f.writer.out.chars, "cpu"));
}

static void times_of_the_wall_clock_are_shifted(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;
	const struct session_event e = { .name = "x", .attr.sample_type = PERF_SAMPLE_TIME };

	fixture_init(&f, false);
	f.style.wall_offset_ns = INT64_C(1800000000000000000);
	write_sample(&f, &e, &(struct sample){ .time = 5 }, 1);
	assert_has(&f, "\"timestamp\": 1800000000000000005,");
}

static void fields_of_tracepoints_are_exact_numbers_or_text(void **state)
{
	(void)state;
	static const char text[] = "name: e\nID: 1\nformat:\n"
				   "\tfield:u64 big;\toffset:0;\tsize:8;\tsigned:0;\n"
				   "\tfield:int low;\toffset:8;\tsize:4;\tsigned:1;\n"
				   "\tfield:char who[4];\toffset:12;\tsize:4;\tsigned:0;\n"
				   "\nprint fmt: \"x\"\n";
	_cleanup_(fixture_done) struct fixture f;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *plan = NULL;
	struct {
		uint64_t big;
		int32_t low;
		char who[4];
	} raw = { UINT64_MAX, -3, "me" };
	struct session_event e = { .name = "s:e",
				   .attr.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW };

	fixture_init(&f, true);
	assert_int_equal(tracepoint_format_parse(text, &format, &d), 0);
	plan = tracepoint_plan_new(format, 8);
	e.format = format;
	e.plan = plan;
	write_sample(&f, &e,
		     &(struct sample){ .raw = (const uint8_t *)&raw, .raw_size = sizeof(raw) }, 42);
	assert_has(&f, "\"event\": \"s:e\",\n\t\t\t\"period\": 42,\n\t\t\t\"fields\": {\n"
		       "\t\t\t\t\"big\": 18446744073709551615,\n\t\t\t\t\"low\": -3,\n"
		       "\t\t\t\t\"who\": \"me\"\n\t\t\t}\n\t\t}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_valid_text),
		cmocka_unit_test(what_was_not_recorded_is_minus_one_or_left_out),
		cmocka_unit_test(times_of_the_wall_clock_are_shifted),
		cmocka_unit_test(fields_of_tracepoints_are_exact_numbers_or_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
