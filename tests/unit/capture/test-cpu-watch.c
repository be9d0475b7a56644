/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/notes.h"
#include "capture/cpu-watch.h"
#include "scratch-folder.h"

static void put_online(const char *cpus)
{
	FILE *f = fopen("cpu/online", "w");

	assert_non_null(f);
	fprintf(f, "%s\n", cpus);
	fclose(f);
}

static struct cpu_watch begin(const char *cpus)
{
	struct cpu_watch w;

	assert_int_equal(file_make_directories("cpu"), 0);
	put_online(cpus);
	cpu_watch_begin(&w, ".");
	return w;
}

static void nothing_is_said_of_cpus_that_stay(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(cpu_watch_done) struct cpu_watch w = begin("0-3");

	(void)state;
	cpu_watch_look(&w, UINT64_MAX);
	cpu_watch_tell(&w, &notes);
	assert_int_equal(notes.n, 0);
}

static void cpus_that_come_and_go_are_told_of(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(cpu_watch_done) struct cpu_watch w = begin("0-3");

	(void)state;
	put_online("0-2,4");
	cpu_watch_look(&w, 1);
	/* A look at once sees nothing new; a later one does. */
	put_online("0-2,4-5");
	cpu_watch_look(&w, 2);
	assert_int_equal(w.came.n, 1);
	assert_int_equal(cpu_watch_next_ns(&w), 500000001);
	cpu_watch_look(&w, cpu_watch_next_ns(&w));
	assert_int_equal(w.came.n, 2);
	/* What is back has no events any more. */
	put_online("0-3");
	cpu_watch_look(&w, UINT64_MAX);
	cpu_watch_tell(&w, &notes);
	assert_int_equal(notes.n, 2);
	assert_non_null(strstr(notes.items[0].what.message, "CPUs 4-5 came online meanwhile"));
	assert_non_null(strstr(notes.items[1].what.message, "CPU 3 went offline meanwhile"));
}

static void without_sysfs_nothing_is_known(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(cpu_watch_done) struct cpu_watch w = { 0 };

	(void)state;
	cpu_watch_begin(&w, "/no/such/folder");
	assert_true(cpu_watch_next_ns(&w) == UINT64_MAX);
	cpu_watch_look(&w, UINT64_MAX);
	cpu_watch_tell(&w, &notes);
	assert_int_equal(notes.n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_is_said_of_cpus_that_stay),
		TEST(cpus_that_come_and_go_are_told_of),
		TEST(without_sysfs_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
