/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/file-place.h"
#include "datafile/old-output.h"
#include "scratch-folder.h"

static void make_file(const char *path)
{
	close(open(path, O_WRONLY | O_CREAT, 0600));
}

/* Writes the file that makes a directory a recording. */
static void make_header(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_int_equal(write(fd, "PERFILE2", 8), 8);
	close(fd);
}

static int rotate(const char *path, bool keep_old)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = file_place_find(path, 0, &p, &diag);

	assert_int_equal(r, 0);
	r = old_output_rotate(&p, path, keep_old, &diag);
	assert_true(r == 0 || diag.message);
	return r;
}

static void a_file_becomes_the_old_one(void **state)
{
	(void)state;
	make_file("a");
	make_file("a.old");
	assert_int_equal(rotate("a", true), 0);
	assert_int_not_equal(access("a", F_OK), 0);
	assert_int_equal(access("a.old", F_OK), 0);
}

static void a_recording_in_a_directory_becomes_the_old_one(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(mkdir("d", 0700), 0);
		make_header("d/data");
		make_file("d/data.0");
		mkdir("d/kcore_dir", 0700);
		make_file("d/kcore_dir/kcore");
		assert_int_equal(rotate("d", true), 0);
		assert_int_not_equal(access("d", F_OK), 0);
		assert_int_equal(access("d.old/data.0", F_OK), 0);
	}
}

static void another_directory_is_not_touched(void **state)
{
	(void)state;
	mkdir("e", 0700);
	make_file("e/letters");
	assert_int_equal(rotate("e", true), -EISDIR);
	assert_int_equal(rotate("e", false), -EISDIR);
	assert_int_equal(access("e/letters", F_OK), 0);
	mkdir("g", 0700);
	make_header("g/data");
	make_file("g/data.cpu-clock.dump");
	assert_int_equal(rotate("g", false), -EISDIR);
	assert_int_equal(access("g/data", F_OK), 0);
}

static void files_of_the_same_names_are_no_recording(void **state)
{
	(void)state;
	mkdir("h", 0700);
	make_file("h/data");
	make_file("h/data.1");
	assert_int_equal(rotate("h", true), -EISDIR);
	assert_int_equal(rotate("h", false), -EISDIR);
	assert_int_equal(access("h/data.1", F_OK), 0);
	/* Nor is a directory removed that is in the way of the new name. */
	make_file("i");
	mkdir("i.old", 0700);
	make_file("i.old/data.1");
	assert_int_equal(rotate("i", true), -EISDIR);
	assert_int_equal(access("i.old/data.1", F_OK), 0);
}

/* Otherwise half of the recording would be gone before the rest is found. */
static void folders_in_place_of_files_are_no_recording(void **state)
{
	static const char *const others[] = { "k/data.2", "k/kcore_dir/letters" };

	(void)state;
	mkdir("k", 0700);
	make_header("k/data");
	mkdir("k/kcore_dir", 0700);
	for (size_t i = 0; i < 2; i++) {
		mkdir(others[i], 0700);
		assert_int_equal(rotate("k", true), -EISDIR);
		assert_int_equal(rotate("k", false), -EISDIR);
		assert_int_equal(access("k/data", F_OK), 0);
		assert_int_equal(rmdir(others[i]), 0);
	}
	assert_int_equal(rotate("k", false), 0);
}

static void an_empty_directory_is_in_nobodys_way(void **state)
{
	(void)state;
	mkdir("empty", 0700);
	assert_int_equal(rotate("empty", false), 0);
	assert_int_not_equal(access("empty", F_OK), 0);
}

static void a_link_is_moved_itself(void **state)
{
	char target[16];

	(void)state;
	make_file("goal");
	assert_int_equal(symlink("goal", "l"), 0);
	assert_int_equal(rotate("l", true), 0);
	assert_int_equal(readlink("l.old", target, sizeof(target)), 4);
	assert_int_equal(access("goal", F_OK), 0);
	assert_int_equal(rotate("l", true), -ENOENT);
}

static void a_device_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(rotate("fifo", true), -ENOTDIR);
	assert_int_equal(rotate("fifo", false), -ENOTDIR);
	assert_int_equal(access("fifo", F_OK), 0);
}

static void what_shall_not_be_kept_is_removed(void **state)
{
	(void)state;
	make_file("f");
	assert_int_equal(rotate("f", false), 0);
	assert_int_not_equal(access("f", F_OK), 0);
	assert_int_not_equal(access("f.old", F_OK), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_becomes_the_old_one),
		cmocka_unit_test(a_recording_in_a_directory_becomes_the_old_one),
		cmocka_unit_test(another_directory_is_not_touched),
		cmocka_unit_test(files_of_the_same_names_are_no_recording),
		cmocka_unit_test(folders_in_place_of_files_are_no_recording),
		cmocka_unit_test(an_empty_directory_is_in_nobodys_way),
		cmocka_unit_test(a_link_is_moved_itself),
		cmocka_unit_test(a_device_is_left_alone),
		cmocka_unit_test(what_shall_not_be_kept_is_removed),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
