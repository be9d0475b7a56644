/* SPDX-License-Identifier: MIT */
#include "trace-lines.h"

#include "tools/trace/kept-call-model.h"

static void assert_call(const struct trace_call *c, const char *wanted)
{
	const struct trace_line_style style = { .is_json = true };
	struct printed p;
	struct trace_lines *l;

	printed_open(&p);
	l = trace_lines_new(p.out, &style);
	assert_int_equal(trace_lines_call(l, c), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, wanted);
}

static void a_call_is_an_object_on_a_line(void **state)
{
	static const struct syscall_desc desc = { .name = "sync" };
	struct trace_task task = { .pid = 7, .tid = 8, .comm = "a\"\xff" };
	struct trace_call c = { .task = &task,
				.abi = SYSCALL_ABI_AARCH64,
				.cpu = 1,
				.nr = 81,
				.desc = &desc,
				.has_enter = true,
				.enter_ns = 1000,
				.exit_ns = 1500 };

	(void)state;
	assert_call(&c,
		    "{\"time\":1000,\"duration\":500,\"comm\":\"a\\\"\\ufffd\",\"pid\":7,\"tid\":8,"
		    "\"cpu\":1,\"syscall\":\"sync\",\"nr\":81,\"abi\":\"aarch64\",\"args\":{},"
		    "\"result\":0}\n");
	c.part = TRACE_CALL_BEGUN;
	c.exit_ns = 0;
	assert_call(&c, "{\"time\":1000,\"comm\":\"a\\\"\\ufffd\",\"pid\":7,\"tid\":8,"
			"\"cpu\":1,\"syscall\":\"sync\",\"nr\":81,\"abi\":\"aarch64\",\"args\":{},"
			"\"unfinished\":true}\n");
	c.part = TRACE_CALL_NO_RETURN;
	c.desc = NULL;
	task.comm = "";
	assert_call(&c, "{\"time\":1000,\"pid\":7,\"tid\":8,\"cpu\":1,\"nr\":81,"
			"\"abi\":\"aarch64\",\"args\":{\"arg0\":0,\"arg1\":0,\"arg2\":0,"
			"\"arg3\":0,\"arg4\":0,\"arg5\":0}}\n");
	c.part = TRACE_CALL_CONTINUED;
	c.has_enter = false;
	c.exit_ns = 1500;
	assert_call(&c, "{\"end\":1500,\"pid\":7,\"tid\":8,\"cpu\":1,\"nr\":81,"
			"\"abi\":\"aarch64\",\"result\":0}\n");
}

static void fields_have_types(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	struct trace_example r = trace_example_record();
	struct sample s = trace_example_sample(&r);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, trace_example_text);
	f.style.is_json = true;
	assert_sample_line(&f, &e.event, &s,
			   "{\"time\":1000000,\"comm\":\"sh\",\"pid\":7,\"tid\":8,\"cpu\":1,"
			   "\"event\":\"s:e\",\"fields\":{\"low\":-3,\"pid\":9,\"big\":12,"
			   "\"pointer\":\"0x1f\",\"who\":\"me\",\"path\":\"/a\\u001bb\\n\","
			   "\"addr\":[127,0,0,1]}}\n");
}

static void faults_have_two_places(void **state)
{
	static const struct session_event e = {
		.name = (char *)"page-faults",
		.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS },
	};
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	struct sample s = { .pid = 7,
			    .tid = 8,
			    .cpu = UINT32_MAX,
			    .misc = PERF_RECORD_MISC_USER,
			    .ip = 0x1010,
			    .addr = 0x9000 };

	(void)state;
	trace_fixture_init(&f);
	f.style.is_json = true;
	assert_sample_line(
		&f, &e, &s,
		"{\"time\":1000000,\"comm\":\"sh\",\"pid\":7,\"tid\":8,"
		"\"event\":\"minfault\",\"code\":{\"addr\":\"0x1010\",\"dso\":\"/bin/sh\"},"
		"\"data\":{\"addr\":\"0x9000\"}}\n");
}

static void stacks_are_arrays_of_frames(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010, 0x9000 };
	static const struct session_event e = { .name = (char *)"e",
						.attr.sample_type = PERF_SAMPLE_CALLCHAIN };
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	struct sample s = { .pid = 7,
			    .tid = 8,
			    .cpu = 1,
			    .misc = PERF_RECORD_MISC_USER,
			    .chain = { .bytes = (const uint8_t *)chain, .n = 3 } };

	(void)state;
	trace_fixture_init(&f);
	f.style.is_json = true;
	assert_sample_line(&f, &e, &s,
			   "{\"time\":1000000,\"comm\":\"sh\",\"pid\":7,\"tid\":8,\"cpu\":1,"
			   "\"event\":\"e\",\"stack\":[{\"ip\":\"0x1010\",\"dso\":\"/bin/sh\"},"
			   "{\"ip\":\"0x9000\"}]}\n");
}

static void losses_are_objects(void **state)
{
	const struct trace_line_style style = { .is_json = true };
	struct printed p;
	struct trace_lines *l;

	(void)state;
	printed_open(&p);
	l = trace_lines_new(p.out, &style);
	assert_int_equal(trace_lines_lost(l, 5, 12), 0);
	assert_int_equal(trace_lines_lost(l, 0, 1), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, "{\"time\":5,\"lost\":12}\n{\"lost\":1}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_an_object_on_a_line),
		cmocka_unit_test(fields_have_types),
		cmocka_unit_test(faults_have_two_places),
		cmocka_unit_test(stacks_are_arrays_of_frames),
		cmocka_unit_test(losses_are_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
