/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
	/* A look right after the first sees nothing new; a later one does. */
	put_online("0-2,4-5");
	cpu_watch_look(&w, 2);
	assert_int_equal(w.came.n, 1);
	cpu_watch_look(&w, 1000000000);
	assert_int_equal(w.came.n, 1);
	cpu_watch_look(&w, 1000000001);
	assert_int_equal(w.came.n, 2);
	/* A CPU that is back has no events any more. */
	put_online("0-3");
	cpu_watch_look(&w, UINT64_MAX);
	cpu_watch_tell(&w, &notes);
	assert_int_equal(notes.n, 2);
	assert_non_null(strstr(notes.items[0].what.message, "CPUs 4-5 came online meanwhile"));
	assert_non_null(strstr(notes.items[1].what.message, "CPU 3 went offline meanwhile"));
}

/* The message is the only trace of a CPU that was back before the next look. */
static void what_the_kernel_tells_is_taken_at_once(void **state)
{
	static const char *const messages[] = {
		"offline@/devices/system/cpu/cpu3",       "online@/devices/system/cpu/cpu3",
		"online@/devices/system/cpu/cpu12",       "add@/devices/system/cpu/cpu2",
		"offline@/devices/system/memory/memory1", "offline@/devices/system/cpu/cpu9",
	};
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(cpu_watch_done) struct cpu_watch w = begin("0-3");
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends), 0);
	closep(&w.fd);
	w.fd = ends[0];
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		assert_true(send(ends[1], messages[i], strlen(messages[i]) + 1, 0) > 0);
	cpu_watch_look(&w, 1);
	close(ends[1]);
	cpu_watch_tell(&w, &notes);
	assert_int_equal(notes.n, 2);
	assert_non_null(strstr(notes.items[0].what.message, "CPU 12 came online meanwhile"));
	assert_non_null(strstr(notes.items[1].what.message, "CPU 3 went offline meanwhile"));
}

static void without_sysfs_nothing_is_known(void **state)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(cpu_watch_done) struct cpu_watch w = CPU_WATCH_NONE;

	(void)state;
	cpu_watch_begin(&w, "/no/such/folder");
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
		TEST(what_the_kernel_tells_is_taken_at_once),
		TEST(without_sysfs_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
