/* SPDX-License-Identifier: MIT */
/* Alone: it replaces prctl(). */
/*
 * Tests the names of test workloads and of their tasks, because scripts look for these names. This
 * program's own prctl() sees each name that a task takes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/test/workload/workload.h"

#define NAMES_MAX 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char names[NAMES_MAX][16];
static size_t n_names;

int prctl(int op, ...)
{
	va_list ap;
	unsigned long arg;

	va_start(ap, op);
	arg = va_arg(ap, unsigned long);
	va_end(ap);
	if (op == PR_SET_NAME) {
		pthread_mutex_lock(&lock);
		if (n_names < NAMES_MAX)
			strncpy(names[n_names++], (const char *)arg, 15);
		pthread_mutex_unlock(&lock);
	}
	return (int)syscall(SYS_prctl, op, arg, 0, 0, 0);
}

static bool was_taken(const char *name)
{
	for (size_t i = 0; i < n_names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static int forget_names(void **state)
{
	(void)state;
	memset(names, 0, sizeof(names));
	n_names = 0;
	return 0;
}

static void named_threads_have_their_names(void **state)
{
	char name[16];

	(void)state;
	assert_int_equal(test_workload_named_threads.run((double[]){ 25, 1 }), 0);
	assert_int_equal(n_names, 25);
	for (unsigned i = 1; i <= 25; i++) {
		snprintf(name, sizeof(name), "thread%u", i);
		assert_true(was_taken(name));
	}
}

static void as_many_threads_as_were_asked_for(void **state)
{
	(void)state;
	assert_int_equal(test_workload_named_threads.run((double[]){ 1, 1 }), 0);
	assert_int_equal(n_names, 1);
	assert_string_equal(names[0], "thread1");
}

static void noploop_is_called_so_and_ends_in_time(void **state)
{
	(void)state;
	assert_int_equal(test_workload_noploop.run((double[]){ 0.01, 0 }), 0);
	assert_string_equal(names[0], "perf-noploop");
	assert_int_equal(test_workload_is_over, 1);
}

static void both_processes_of_a_switch_have_names(void **state)
{
	(void)state;
	assert_int_equal(test_workload_context_switch_loop.run((double[]){ 3, 0 }), 0);
	/* The name of the child is not seen here. */
	assert_int_equal(n_names, 1);
	assert_string_equal(names[0], "proc1");
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void loops_end_when_it_is_time_and_not_before(void **state)
{
	static const struct test_workload *const loops[] = {
		&test_workload_noploop,  &test_workload_thloop,  &test_workload_leafloop,
		&test_workload_sqrtloop, &test_workload_datasym, &test_workload_inlineloop,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		test_workload_is_over = 0;
		assert_int_equal(loops[i]->run((double[]){ 0.01, 2 }), 0);
		assert_string_equal(loops[i]->numbers[0].what, "seconds");
	}
}

static void every_workload_has_a_name_and_a_summary(void **state)
{
	static const char *const all[] = { "noploop",      "thloop",   "named_threads",
					   "leafloop",     "sqrtloop", "brstack",
					   "datasym",      "landlock", "traploop",
					   "inlineloop",   "jitdump",  "context_switch_loop",
					   "deterministic" };
	size_t n = 0;

	(void)state;
	for (; test_workloads[n]; n++) {
		assert_true(test_workloads[n]->summary[0]);
		assert_non_null(test_workloads[n]->run);
		assert_ptr_equal(test_workload_find(test_workloads[n]->name), test_workloads[n]);
	}
	assert_int_equal(n, sizeof(all) / sizeof(all[0]));
	for (size_t i = 0; i < n; i++)
		assert_non_null(test_workload_find(all[i]));
}

static void calls_that_fail_are_made_all_the_same(void **state)
{
	(void)state;
	assert_int_equal(test_workload_landlock.run((double[]){ 0, 0 }), 0);
	assert_int_equal(test_workload_traploop.run((double[]){ 3, 0 }), 0);
	assert_int_equal(test_workload_brstack.run((double[]){ 1, 0 }), 0);
	assert_int_equal(test_workload_deterministic.run((double[]){ 0, 0 }), 0);
}

#define NAMED(test) cmocka_unit_test_setup(test, forget_names)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NAMED(named_threads_have_their_names),
		NAMED(as_many_threads_as_were_asked_for),
		NAMED(noploop_is_called_so_and_ends_in_time),
		NAMED(both_processes_of_a_switch_have_names),
		NAMED(loops_end_when_it_is_time_and_not_before),
		NAMED(every_workload_has_a_name_and_a_summary),
		NAMED(calls_that_fail_are_made_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
