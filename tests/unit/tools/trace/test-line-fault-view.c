/* SPDX-License-Identifier: MIT */
#include "trace-lines.h"

static const struct session_event minor = {
	.name = (char *)"page-faults",
	.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS },
};
static const struct session_event major = {
	.name = (char *)"major-faults",
	.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ },
};

static void a_fault_tells_code_and_data(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	struct sample s = { .pid = 7,
			    .tid = 8,
			    .cpu = 1,
			    .misc = PERF_RECORD_MISC_USER,
			    .ip = 0x1010,
			    .addr = 0x1234 };

	(void)state;
	trace_fixture_init(&f);
	f.style.hides_duration = false;
	assert_sample_line(&f, &minor, &s,
			   "     1.000 ( 0.000 ms): sh/8 minfault [0x10] => /bin/sh@0x234 (x.)\n");
	f.style.is_verbose = true;
	assert_sample_line(&f, &major, &s,
			   "     1.000 ( 0.000 ms): sh/8 majfault [/bin/sh@0x10] => "
			   "/bin/sh@0x234 (x.)\n");
}

static void what_lies_nowhere_is_an_address(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	struct sample s = { .pid = 7,
			    .tid = 8,
			    .cpu = 1,
			    .misc = PERF_RECORD_MISC_KERNEL,
			    .ip = UINT64_MAX,
			    .addr = 0x1234 };

	(void)state;
	trace_fixture_init(&f);
	f.style.hides_duration = true;
	assert_sample_line(&f, &minor, &s,
			   "     1.000 sh/8 minfault [0xffffffffffffffff] => 0x1234 (?k)\n");
	s.misc = PERF_RECORD_MISC_USER;
	s.addr = 0x5000;
	assert_sample_line(&f, &minor, &s,
			   "     1.000 sh/8 minfault [0xffffffffffffffff] => 0x5000 (?.)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_tells_code_and_data),
		cmocka_unit_test(what_lies_nowhere_is_an_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
