/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "scratch-folder.h"
#include "skip.h"

#define OTHER 65534

/* Opens, writes @text and closes. Returns the error of opening. */
static int put(const char *path, enum output_use use, const char *text)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(closep) int fd = output_file_open(path, use, 0644, &d);

	if (fd < 0) {
		assert_non_null(d.message);
		return fd;
	}
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return 0;
}

static void assert_text(const char *path, const char *expected)
{
	_cleanup_(freep) char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, NULL), 0);
	assert_string_equal(text, expected);
}

static void a_file_is_opened_where_it_is(void **state)
{
	(void)state;
	assert_int_equal(put("a", OUTPUT_NEW, "one"), 0);
	assert_int_equal(put("a", OUTPUT_NEW, "two"), -EEXIST);
	assert_int_equal(put("a", OUTPUT_APPEND, "+"), 0);
	assert_text("a", "one+");
	assert_int_equal(put("a", OUTPUT_TRUNCATE, "2"), 0);
	assert_text("a", "2");
	assert_int_equal(put("/dev/null", OUTPUT_NEW, "x"), 0);
	assert_int_equal(put("none/a", OUTPUT_NEW, "x"), -ENOENT);
	assert_int_equal(put("/dev/fd/99", OUTPUT_TRUNCATE, "x"), -ENOENT);
	assert_int_equal(symlink("b", "link"), 0);
	assert_int_equal(put("link", OUTPUT_TRUNCATE, "linked"), 0);
	assert_text("b", "linked");
}

static size_t temporaries(void)
{
	glob_t g = { 0 };
	size_t n = glob(".perf-*", 0, NULL, &g) == 0 ? g.gl_pathc : 0;

	globfree(&g);
	return n;
}

static void what_is_no_file_is_not_replaced(void **state)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(closep) int reader = -1;
	char text[8] = "";
	struct stat st;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_int_equal(output_file_begin(&o, "fifo", FILE_PLACE_FOLLOW, 0600, &d), 0);
	assert_int_equal(output_file_write(&o, "text", 4), 0);
	assert_int_equal(output_file_commit(&o, false), 0);
	assert_int_equal(read(reader, text, sizeof(text)), 4);
	assert_string_equal(text, "text");
	assert_int_equal(lstat("fifo", &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_int_equal(temporaries(), 0);
}

static void a_replaced_file_is_whole_or_not_there(void **state)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(output_file_begin(&o, "whole", 0, 0600, &d), 0);
	assert_int_equal(output_file_write(&o, "text", 4), 0);
	assert_int_not_equal(access("whole", F_OK), 0);
	assert_int_equal(output_file_commit(&o, true), 0);
	output_file_done(&o);
	assert_text("whole", "text");

	assert_int_equal(output_file_begin(&o, "whole", 0, 0600, &d), 0);
	assert_int_equal(output_file_write(&o, "half", 4), 0);
	assert_int_equal(temporaries(), 1);
	output_file_done(&o);
	assert_int_equal(temporaries(), 0);
	assert_text("whole", "text");
}

static int commit_own(const char *path, const char *text)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(output_file_begin(&o, path, 0, 0600, &d), 0);
	assert_int_equal(output_file_write(&o, text, strlen(text)), 0);
	return output_file_commit_own(&o, true);
}

static void only_an_own_file_is_replaced_if_asked_for(void **state)
{
	(void)state;
	assert_int_equal(commit_own("mine", "one"), 0);
	assert_int_equal(commit_own("mine", "two"), 0);
	assert_text("mine", "two");
	assert_int_equal(symlink("mine", "to-mine"), 0);
	assert_int_equal(commit_own("to-mine", "three"), -EEXIST);
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(commit_own("folder", "three"), -EEXIST);
	assert_text("mine", "two");
	assert_int_equal(temporaries(), 0);
	if (geteuid() != 0)
		skip_because("only root may do this");
	assert_int_equal(chown("mine", OTHER, OTHER), 0);
	assert_int_equal(commit_own("mine", "three"), -EEXIST);
	assert_text("mine", "two");
	assert_int_equal(temporaries(), 0);
}

static void a_link_is_replaced_unless_it_is_to_be_followed(void **state)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(put("goal", OUTPUT_NEW, "old"), 0);
	assert_int_equal(symlink("goal", "l"), 0);
	assert_int_equal(output_file_begin(&o, "l", FILE_PLACE_FOLLOW, 0600, &d), 0);
	assert_int_equal(output_file_write(&o, "new", 3), 0);
	assert_int_equal(output_file_commit(&o, false), 0);
	assert_text("goal", "new");
	assert_int_equal(output_file_replace("l", "own", 3, 0600), 0);
	assert_text("l", "own");
	assert_text("goal", "new");
}

static void links_themselves_are_renamed_and_removed(void **state)
{
	(void)state;
	assert_int_equal(put("kept", OUTPUT_NEW, "kept"), 0);
	assert_int_equal(symlink("kept", "x"), 0);
	assert_int_equal(output_file_rename("x", "y"), 0);
	assert_int_equal(output_file_remove("y"), 0);
	assert_int_equal(output_file_remove("y"), -ENOENT);
	assert_text("kept", "kept");
}

static void what_another_user_planted_is_not_written_to(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip_because("only root may do this");
	assert_int_equal(put("victim", OUTPUT_NEW, "victim"), 0);
	assert_int_equal(mkdir("all", 0700), 0);
	assert_int_equal(chmod("all", 0777), 0);
	assert_int_equal(symlink("../victim", "all/soft"), 0);
	assert_int_equal(lchown("all/soft", OTHER, OTHER), 0);
	assert_int_equal(link("victim", "all/hard"), 0);
	for (int use = OUTPUT_TRUNCATE; use <= OUTPUT_APPEND; use++) {
		assert_int_equal(put("all/soft", (enum output_use)use, "x"), -EACCES);
		assert_int_equal(put("all/hard", (enum output_use)use, "x"), -EMLINK);
	}
	assert_int_equal(output_file_replace("all/soft", "x", 1, 0600), 0);
	assert_int_equal(output_file_replace("all/hard", "x", 1, 0600), 0);
	assert_text("victim", "victim");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_opened_where_it_is),
		cmocka_unit_test(what_is_no_file_is_not_replaced),
		cmocka_unit_test(a_replaced_file_is_whole_or_not_there),
		cmocka_unit_test(only_an_own_file_is_replaced_if_asked_for),
		cmocka_unit_test(a_link_is_replaced_unless_it_is_to_be_followed),
		cmocka_unit_test(links_themselves_are_renamed_and_removed),
		cmocka_unit_test(what_another_user_planted_is_not_written_to),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
