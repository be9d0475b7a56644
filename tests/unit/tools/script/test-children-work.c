/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/script/children-work.h"

static struct script_ends run(const char *record, const char *report)
{
	char *first[] = { "/bin/sh", "-c", (char *)record, NULL };
	char *second[] = { "/bin/sh", "-c", (char *)report, NULL };
	const struct script_children c = { .record = record ? first : NULL,
					   .report = report ? second : NULL };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct script_ends ends = { 0 };

	assert_int_equal(script_children_run(&c, &ends, &d), 0);
	return ends;
}

/* A process that ends first ends the other, so the reader waits until the writer has ended. */
static void what_one_writes_the_other_reads(void **state)
{
	struct script_ends e = run("echo hello; exit 3",
				   "read word; cat; [ $word = hello ] && exit 5");

	(void)state;
	assert_int_equal(WEXITSTATUS(e.record), 3);
	assert_int_equal(WEXITSTATUS(e.report), 5);
}

static void one_alone_has_a_status(void **state)
{
	(void)state;
	assert_int_equal(WEXITSTATUS(run("exit 7", NULL).record), 7);
	assert_int_equal(WTERMSIG(run(NULL, "kill -KILL $$").report), SIGKILL);
	assert_int_equal(WEXITSTATUS(run(NULL, "exec /no/such/program").report), 127);
}

static void a_recording_that_nobody_reads_is_ended(void **state)
{
	struct script_ends e = run("trap 'exit 9' INT; echo ready; while :; do sleep 0.1; done",
				   "read word");

	(void)state;
	assert_int_equal(WEXITSTATUS(e.record), 9);
}

/* The recording is a grandchild, as perf is below a shell script. */
static void a_signal_ends_the_recording_and_the_report_ends_after_it(void **state)
{
	struct script_ends e =
		run("P=$PPID sh -c 'trap \"echo late; exit 0\" TERM; kill -TERM $P; while :; do "
		    "sleep 0.1; done'; true",
		    "read word; [ $word = late ] && exit 4");

	(void)state;
	assert_int_equal(WEXITSTATUS(e.report), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_one_writes_the_other_reads),
		cmocka_unit_test(one_alone_has_a_status),
		cmocka_unit_test(a_recording_that_nobody_reads_is_ended),
		cmocka_unit_test(a_signal_ends_the_recording_and_the_report_ends_after_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
