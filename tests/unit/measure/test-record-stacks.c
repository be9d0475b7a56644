/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/notes.h"
#include "bpf/unwind-tables.h"
#include "measure/record-job.h"
#include "measure/record-stacks.h"

static struct record_job job(const struct record_request *rq, struct notes *notes)
{
	return (struct record_job){ .rq = rq, .notes = notes };
}

static void other_stacks_need_no_programs(void **state)
{
	const struct record_request rq = { .sampling.callgraph.choice.mode = CALLGRAPH_DWARF };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);

	(void)state;
	record_stacks_start(&j);
	assert_null(j.stacks);
	record_stacks_tell(&j);
	assert_int_equal(notes.n, 0);
}

static void why_stacks_are_copied_is_told(void **state)
{
	struct record_request rq = { .sampling.callgraph.choice.mode = CALLGRAPH_BPF,
				     .buffer.overwrite = true };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);

	(void)state;
	record_stacks_start(&j);
	assert_null(j.stacks);
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "--overwrite"));
}

static void another_clock_is_an_obstacle(void **state)
{
	const struct record_request rq = { .sampling.callgraph.choice.mode = CALLGRAPH_BPF };
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);

	(void)state;
	j.sampling.rq.sample.clock = (struct clock_choice){ true, CLOCK_BOOTTIME };
	record_stacks_start(&j);
	assert_null(j.stacks);
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "CLOCK_MONOTONIC"));
}

static void stacks_of_other_programs_are_told(void **state)
{
	const struct record_request rq = { .sampling.callgraph = {
						   .choice.mode = CALLGRAPH_BPF,
						   .unwound_elsewhere = "raw_syscalls:" } };
	const struct unwind_tables_facts facts = {
		.results = { [UNWIND_DONE] = 7, [UNWIND_NO_TABLES] = 2 }
	};
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_job j = job(&rq, &notes);

	(void)state;
	j.command = "trace";
	record_stacks_start(&j);
	assert_int_equal(notes.n, 0);
	record_stacks_count(&j, &facts);
	record_stacks_count(&j, &facts);
	record_stacks_tell(&j);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes.items[0].what.message,
			    "[ perf trace: Unwound 14 of 18 stacks in the kernel; 4 were copied, "
			    "4 before the rules were loaded ]");
	free(j.more_stacks);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_stacks_need_no_programs),
		cmocka_unit_test(why_stacks_are_copied_is_told),
		cmocka_unit_test(another_clock_is_an_obstacle),
		cmocka_unit_test(stacks_of_other_programs_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
