/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/notes.h"
#include "measure/record-notes.h"

/* Checks that @o gives one warning with @words; NULL: that it gives none. */
static void assert_advice(struct record_outcome o, const char *words)
{
	_cleanup_(notes_done) struct notes n = { 0 };

	record_advise(&o, &n);
	assert_int_equal(n.n, words != NULL);
	if (!words)
		return;
	assert_int_equal(n.items[0].kind, NOTE_WARNING);
	assert_non_null(strstr(n.items[0].what.message, words));
	assert_non_null(n.items[0].what.hint);
}

/* A command that ran for two seconds and was sampled by time. */
#define COMMAND(n, cpu)                                                                            \
	.samples = n, .elapsed_ns = 2000000000, .ran_command = true, .cpu_ns = cpu,                \
	.by_time = true, .freq = 4000

static void a_command_that_waits_is_told_of(void **state)
{
	(void)state;
	assert_advice((struct record_outcome){ COMMAND(200, 60000000) },
		      "on a CPU for 3.0 % of its time (0.060 of 2.000 s)");
	assert_advice((struct record_outcome){ COMMAND(0, 60000) }, "on a CPU for 0.0 %");
	assert_advice((struct record_outcome){ COMMAND(200, 60000000), .off_cpu = true }, NULL);
	assert_advice((struct record_outcome){ COMMAND(200, 60000000), .whole_system = true },
		      NULL);
	assert_advice((struct record_outcome){ COMMAND(8000, 1900000000) }, NULL);
}

static void a_recording_without_samples_is_explained(void **state)
{
	(void)state;
	assert_advice((struct record_outcome){ .elapsed_ns = 1000000,
					       .ran_command = true,
					       .cpu_ns = 500000,
					       .by_time = true,
					       .freq = 99 },
		      "on a CPU for 0.500 ms, and -F 99 takes a sample every 10.101 ms");
	assert_advice((struct record_outcome){ .elapsed_ns = 1000000, .freq = 99 },
		      "the events did not occur");
	assert_advice((struct record_outcome){ .by_time = true, .whole_system = true },
		      "every CPU was idle");
	assert_advice((struct record_outcome){ .by_time = true,
					       .whole_system = true,
					       .freq = 4000,
					       .elapsed_ns = 1000000000 },
		      "every CPU was idle");
	assert_advice((struct record_outcome){ .by_time = true,
					       .whole_system = true,
					       .freq = 1,
					       .elapsed_ns = 2000000000 },
		      "in 2.000 s, -F 1 takes few of a CPU");
	assert_advice((struct record_outcome){ .by_time = true },
		      "not on a CPU during the recording");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_that_waits_is_told_of),
		cmocka_unit_test(a_recording_without_samples_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
