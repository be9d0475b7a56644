/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/output-file.h"
#include "scratch-folder.h"
#include "tools/daemon/files-work.h"

#define DATA "perf.data."

static void only_names_with_a_time_are_complete(void **state)
{
	(void)state;
	assert_true(daemon_file_is_complete("perf.data.2026111621321387"));
	assert_true(daemon_file_is_complete("x.2026111621321387"));
	assert_false(daemon_file_is_complete("perf.data"));
	assert_false(daemon_file_is_complete("perf.data.old"));
	assert_false(daemon_file_is_complete("perf.data.202611162132138"));
	assert_false(daemon_file_is_complete("perf.data.20261116213213877"));
	assert_false(daemon_file_is_complete(".2026111621321387"));
	assert_false(daemon_file_is_complete("2026111621321387"));
	assert_false(daemon_file_is_complete(""));
}

/* Checks the surplus of files of 100 bytes each, which were completed at these times. */
static void expect_surplus(const struct daemon_limits *l, int64_t now_s, uint64_t other,
			   size_t expected)
{
	struct daemon_file files[] = { { .time_s = 100, .bytes = 100 },
				       { .time_s = 200, .bytes = 100 },
				       { .time_s = 300, .bytes = 100 } };
	const struct daemon_files f = {
		.items = files, .n = 3, .bytes = 300, .other_bytes = other
	};

	assert_int_equal(daemon_files_surplus(&f, l, now_s), expected);
}

static void the_oldest_go_until_the_limits_hold(void **state)
{
	(void)state;
	expect_surplus(&(struct daemon_limits){ 0 }, 1000, 0, 0);
	expect_surplus(&(struct daemon_limits){ .keep_s = 100 }, 300, 0, 1);
	expect_surplus(&(struct daemon_limits){ .keep_s = 100 }, 1000, 0, 3);
	expect_surplus(&(struct daemon_limits){ .keep_s = 100 }, 50, 0, 0);
	expect_surplus(&(struct daemon_limits){ .max_bytes = 300 }, 1000, 0, 0);
	expect_surplus(&(struct daemon_limits){ .max_bytes = 299 }, 1000, 0, 1);
	expect_surplus(&(struct daemon_limits){ .max_bytes = 300 }, 1000, 150, 2);
	/*
	 * The files being written exceed the limit by themselves: no more than all three others can
	 * be removed.
	 */
	expect_surplus(&(struct daemon_limits){ .max_bytes = 300 }, 1000, 1000, 3);
	expect_surplus(&(struct daemon_limits){ .max_bytes = 250, .keep_s = 150 }, 400, 0, 2);
}

static void make(const char *name, time_t time)
{
	struct timespec times[2] = { { .tv_sec = time }, { .tv_sec = time } };

	assert_int_equal(output_file_replace(name, "bytes", 5, 0600), 0);
	assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

static void a_folder_is_scanned_oldest_first_and_without_links(void **state)
{
	_cleanup_(daemon_files_done) struct daemon_files f = { 0 };
	_cleanup_(closep) int folder = open(".", O_RDONLY | O_DIRECTORY);

	(void)state;
	make("perf.data", 1);
	make(DATA "2026111621321302", 200);
	make(DATA "2026111621321301", 200);
	make(DATA "2026111621321399", 100);
	assert_int_equal(mkdir(DATA "2026111621321400", 0700), 0);
	make(DATA "2026111621321400/data", 1);
	assert_int_equal(symlink("perf.data", DATA "2026111621321500"), 0);
	daemon_files_scan(folder, &f);
	assert_int_equal(f.n, 4);
	assert_string_equal(f.items[0].name, DATA "2026111621321399");
	assert_string_equal(f.items[1].name, DATA "2026111621321301");
	assert_string_equal(f.items[2].name, DATA "2026111621321302");
	assert_true(f.items[3].is_folder);
	assert_int_equal(daemon_files_remove(&f, folder, 4), 4);
	assert_int_equal(f.n, 0);
	assert_int_equal(f.bytes, 0);
	assert_int_equal(access("perf.data", F_OK), 0);
	assert_int_equal(access(DATA "2026111621321500", F_OK), 0);
	assert_int_not_equal(access(DATA "2026111621321400", F_OK), 0);
}

static void what_cannot_be_removed_stays(void **state)
{
	_cleanup_(daemon_files_done) struct daemon_files f = { 0 };
	_cleanup_(closep) int folder = open(".", O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_int_equal(mkdir(DATA "2026111621321400", 0700), 0);
	assert_int_equal(mkdir(DATA "2026111621321400/sub", 0700), 0);
	daemon_files_scan(folder, &f);
	assert_int_equal(daemon_files_remove(&f, folder, 1), 0);
	assert_int_equal(f.n, 1);
}

static void a_recording_that_was_left_is_kept(void **state)
{
	_cleanup_(daemon_files_done) struct daemon_files f = { 0 };
	_cleanup_(closep) int folder = open(".", O_RDONLY | O_DIRECTORY);

	(void)state;
	daemon_files_keep_left(folder);
	make("perf.data", 1000000000);
	daemon_files_keep_left(folder);
	daemon_files_scan(folder, &f);
	assert_int_equal(f.n, 1);
	assert_int_equal(f.items[0].time_s, 1000000000);
	assert_int_not_equal(access("perf.data", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_names_with_a_time_are_complete),
		cmocka_unit_test(the_oldest_go_until_the_limits_hold),
		cmocka_unit_test_setup_teardown(a_folder_is_scanned_oldest_first_and_without_links,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test_setup_teardown(what_cannot_be_removed_stays, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(a_recording_that_was_left_is_kept,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
