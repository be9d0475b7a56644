/* SPDX-License-Identifier: MIT */
#include "trace-lines.h"

#include "arch/syscall/values.h"

static const char enter_text[] = "name: sys_enter_close\nID: 1\nformat:\n"
				 "\tfield:u64 common_type;\toffset:0;\tsize:8;\tsigned:0;\n"
				 "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
				 "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
				 "\nprint fmt: \"\"\n";

static const char enum_text[] = "name: e\nID: 1\nformat:\n"
				"\tfield:u64 common_type;\toffset:0;\tsize:8;\tsigned:0;\n"
				"\tfield:enum mode mode;\toffset:8;\tsize:4;\tsigned:0;\n"
				"\nprint fmt: \"\"\n";

static struct sample sample_of(const uint64_t *words, size_t n)
{
	return (struct sample){ .pid = 7,
				.tid = 8,
				.cpu = 1,
				.raw = (const uint8_t *)words,
				.raw_size = (uint32_t)(n * sizeof(*words)) };
}

/* The machine of the recording is not known, so the names of its calls are not known either. */
static void unknown_calls_have_fields(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	const uint64_t words[] = { 0, 57, 3 };
	struct sample s = sample_of(words, 3);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, enter_text);
	e.event.name = (char *)"syscalls:sys_enter_close";
	e.event.system = "syscalls";
	e.event.tracepoint = "sys_enter_close";
	assert_sample_line(&f, &e.event, &s,
			   "     1.000 sh/8 syscalls:sys_enter_close(__syscall_nr: 57, fd: 3)\n");
}

static const struct value_table *modes(void *arg, const char *name)
{
	static const struct value_name names[] = { { 0, 0, "ABS" }, { 1, 1, "REL" } };
	static const struct value_table table = {
		.name = "mode", .prefix = "", .names = names, .n = 2
	};

	(void)arg;
	return strcmp(name, "mode") ? NULL : &table;
}

static void enums_are_shown_by_name(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	uint64_t words[] = { 0, 1 };
	struct sample s = sample_of(words, 2);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, enum_text);
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(mode: 1)\n");
	f.style.values.enumeration = modes;
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(mode: REL)\n");
	words[1] = 0;
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(mode: ABS)\n");
	words[1] = 2;
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(mode: 2)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_calls_have_fields),
		cmocka_unit_test(enums_are_shown_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
