/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/file-place.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "datafile/output.h"
#include "scratch-folder.h"
#include "skip.h"

#define OTHER 65534

static void make_file(const char *path, const char *text)
{
	assert_int_equal(output_file_replace(path, text, strlen(text), 0640), 0);
}

static void assert_text(const char *path, const char *expected)
{
	_cleanup_(freep) char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, NULL), 0);
	assert_string_equal(text, expected);
}

/* Creates @path and writes "new" to it. */
static int create(const char *path)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(closep) int fd = output_create(path, true, &p, &d);

	if (fd < 0) {
		assert_non_null(d.message);
		return fd;
	}
	assert_int_equal(write(fd, "new", 3), 3);
	return 0;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

static void a_new_file_is_for_its_owner_only(void **state)
{
	(void)state;
	assert_int_equal(create("a"), 0);
	assert_int_equal(mode_of("a"), S_IFREG | 0600);
	make_file("b", "before");
	assert_int_equal(create("b"), 0);
	assert_text("b", "new");
	assert_text("b.old", "before");
	assert_int_equal(create("none/a"), -ENOENT);
}

static void an_empty_file_is_written_as_it_is(void **state)
{
	(void)state;
	make_file("empty", "");
	assert_int_equal(create("empty"), 0);
	assert_text("empty", "new");
	assert_int_equal(mode_of("empty") & 0777, 0640);
	assert_int_not_equal(access("empty.old", F_OK), 0);
}

static void a_link_to_nothing_yet_is_followed(void **state)
{
	(void)state;
	assert_int_equal(mkdir("disk", 0700), 0);
	assert_int_equal(symlink("disk/file", "l"), 0);
	assert_int_equal(create("l"), 0);
	assert_true(S_ISLNK(mode_of("l")));
	assert_text("disk/file", "new");
	/* As with Linux's perf, the link has become the old recording. */
	make_file("disk/file", "first");
	assert_int_equal(create("l"), 0);
	assert_true(S_ISREG(mode_of("l")));
	assert_text("l.old", "first");
}

static void devices_and_open_files_are_written_as_they_are(void **state)
{
	_cleanup_(closep) int fd = open("opened", O_RDWR | O_CREAT, 0600);
	_cleanup_(freep) char *path = xasprintf("/dev/fd/%d", fd);

	(void)state;
	assert_int_equal(create(path), 0);
	assert_text("opened", "new");
	assert_int_equal(create("/dev/null"), 0);
	assert_int_equal(symlink("/dev/null", "null"), 0);
	assert_int_equal(create("null"), 0);
	assert_true(S_ISLNK(mode_of("null")));
	assert_true(S_ISCHR(mode_of("/dev/null")));
}

static void a_directory_takes_the_place_of_what_was_there(void **state)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	make_file("dir", "before");

	_cleanup_(closep) int fd = output_create_directory("dir/", true, &p, &d);

	assert_true(fd >= 0);
	assert_int_equal(mode_of("dir"), S_IFDIR | 0700);
	assert_text("dir.old", "before");
	file_place_done(&p);
	assert_int_equal(output_create_directory("/dev/null", true, &p, &d), -ENOTDIR);
	assert_true(S_ISCHR(mode_of("/dev/null")));
}

static void what_another_user_planted_is_moved_away(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip_because("only root may do this");
	make_file("victim", "victim");
	assert_int_equal(mkdir("all", 0700), 0);
	assert_int_equal(chmod("all", 0777), 0);
	assert_int_equal(symlink("../fresh", "all/dangling"), 0);
	assert_int_equal(symlink("../victim", "all/soft"), 0);
	assert_int_equal(lchown("all/dangling", OTHER, OTHER), 0);
	assert_int_equal(lchown("all/soft", OTHER, OTHER), 0);
	assert_int_equal(link("victim", "all/hard"), 0);
	make_file("all/empty", "");
	assert_int_equal(chown("all/empty", OTHER, OTHER), 0);

	static const char *const names[] = { "all/dangling", "all/soft", "all/hard", "all/empty" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct stat st;

		assert_int_equal(create(names[i]), 0);
		assert_int_equal(lstat(names[i], &st), 0);
		assert_true(S_ISREG(st.st_mode));
		assert_int_equal(st.st_uid, 0);
	}
	assert_text("victim", "victim");
	assert_int_not_equal(access("fresh", F_OK), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_file_is_for_its_owner_only),
		cmocka_unit_test(an_empty_file_is_written_as_it_is),
		cmocka_unit_test(a_link_to_nothing_yet_is_followed),
		cmocka_unit_test(devices_and_open_files_are_written_as_they_are),
		cmocka_unit_test(a_directory_takes_the_place_of_what_was_there),
		cmocka_unit_test(what_another_user_planted_is_moved_away),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
