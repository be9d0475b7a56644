/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "capture/synth-internal.h"
#include "records.h"

/* The test does not know the loaded programs, but the records about them must be whole. */
static void programs_are_told_with_their_functions(void **state)
{
	const struct synth_plan p = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t programs, functions;
	struct record r;

	(void)state;
	synth_bpf(&p, &b);
	programs = record_count(&b, NULL, PERF_RECORD_BPF_EVENT);
	functions = record_count(&b, NULL, PERF_RECORD_KSYMBOL);
	assert_int_equal(record_count(&b, NULL, 0), programs + functions);
	for (size_t i = 0; record_find(&b, NULL, PERF_RECORD_KSYMBOL, i, &r); i++) {
		assert_int_equal(r.ksymbol.ksym_type, 1);
		assert_memory_equal(r.ksymbol.name, "bpf_prog_", 9);
	}
}

static void without_bpf_events_functions_remain(void **state)
{
	const struct synth_plan p = { .no_bpf_event = true };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_bpf(&p, &b);
	assert_int_equal(record_count(&b, NULL, PERF_RECORD_BPF_EVENT), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_told_with_their_functions),
		cmocka_unit_test(without_bpf_events_functions_remain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
