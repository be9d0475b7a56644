/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include "datafile/tracing-data.h"
#include "tracepoint/format.h"

static const char switch_format[] = "name: sched_switch\n"
				    "ID: 314\n"
				    "format:\n"
				    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\t"
				    "signed:0;\n"
				    "\n"
				    "\tfield:int prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
				    "\n"
				    "print fmt: \"prev_pid=%d\", REC->prev_pid\n";

static const struct attr switch_attr = { .type = PERF_TYPE_TRACEPOINT,
					 .size = 128,
					 .config = 314,
					 .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME };

/* Another type of event: the config is a tracepoint's number only in tracepoints. */
static const struct attr other_attr = { .type = PERF_TYPE_RAW, .size = 128, .config = 314 };

static void add_tracing_data(struct bytes *b, const char *text)
{
	_cleanup_(bytes_done) struct bytes blob = { 0 };
	struct tracing_format format = { .system = "sched", .text = text, .length = strlen(text) };
	struct tracing_data t = { .long_size = 8,
				  .page_size = 4096,
				  .version = "0.6",
				  .formats = &format,
				  .n_formats = 1 };

	tracing_data_encode(&t, &blob);
	bytes_pad(&blob, 0, 8);
	add_record(b, &(struct record){ .header.type = PERF_RECORD_HEADER_TRACING_DATA,
					.tracing_data.size = (uint32_t)blob.n });
	bytes_add(b, blob.data, blob.n);
}

static void tracepoints_get_their_format(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;

	(void)state;
	begin_stream(&b);
	add_attr(&b, &other_attr, (uint64_t[]){ 5 }, 1);
	add_attr(&b, &switch_attr, (uint64_t[]){ 6 }, 1);
	add_tracing_data(&b, switch_format);
	s = read_stream(&b, &fd);
	assert_null(session_event(s, 0)->format);
	assert_string_equal(session_event(s, 1)->name, "sched:sched_switch");
	assert_string_equal(session_event(s, 1)->system, "sched");
	assert_string_equal(session_event(s, 1)->tracepoint, "sched_switch");
	assert_non_null(tracepoint_field_find(session_event(s, 1)->format, "prev_pid"));
	assert_non_null(session_event(s, 1)->plan);
	assert_int_equal(session_tracing_data(s)->n_formats, 1);
}

static void a_format_that_cannot_be_read_is_left_out(void **state)
{
	static const char *const texts[] = { "", "ID: 314",
					     "name: x\nID: 314\nformat:\n\tfield:int x;\n",
					     "name: x\nID: 99999999999999999999999999314\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(bytes_done) struct bytes b = { 0 };
		_cleanup_(session_freep) struct session *s = NULL;
		_cleanup_(closep) int fd = -1;

		begin_stream(&b);
		add_attr(&b, &switch_attr, (uint64_t[]){ 6 }, 1);
		add_tracing_data(&b, texts[i]);
		s = read_stream(&b, &fd);
		assert_null(session_event(s, 0)->format);
		assert_null(session_event(s, 0)->plan);
		assert_string_equal(session_event(s, 0)->name, "unknown tracepoint");
	}
}

static void events_of_one_tracepoint_share_its_format(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;

	(void)state;
	begin_stream(&b);
	add_attr(&b, &switch_attr, (uint64_t[]){ 5 }, 1);
	add_attr(&b, &switch_attr, (uint64_t[]){ 6 }, 1);
	add_tracing_data(&b, switch_format);
	s = read_stream(&b, &fd);
	assert_non_null(session_event(s, 0)->format);
	assert_ptr_equal(session_event(s, 0)->format, session_event(s, 1)->format);
	assert_ptr_equal(session_event(s, 0)->plan, session_event(s, 1)->plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tracepoints_get_their_format),
		cmocka_unit_test(a_format_that_cannot_be_read_is_left_out),
		cmocka_unit_test(events_of_one_tracepoint_share_its_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
