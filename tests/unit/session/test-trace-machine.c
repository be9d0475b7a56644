/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/trace-machine.h"

static void a_recording_without_symbols_names_nothing(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(trace_machine_freep) struct trace_machine *m = trace_machine_new(s);
	const struct tracepoint_machine *machine = trace_machine_get(m);
	uint64_t offset;

	assert_false(machine->swap);
	assert_null(machine->string);
	assert_null(machine->symbol(machine->arg, 0xffff800000001000, &offset));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_without_symbols_names_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
