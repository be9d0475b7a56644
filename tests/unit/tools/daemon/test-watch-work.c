/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch-folder.h"
#include "tools/daemon/watch-work.h"

static void put(const char *name)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fclose(f);
}

static void a_file_that_is_written_or_replaced_has_changed(void **state)
{
	char *paths[] = { xasprintf("%s/config", (char *)*state) };
	struct daemon_watch w;

	daemon_watch_open(&w, paths, 1);
	assert_false(daemon_watch_changed(&w));
	put("other");
	assert_false(daemon_watch_changed(&w));
	put("config");
	assert_true(daemon_watch_changed(&w));
	assert_false(daemon_watch_changed(&w));
	assert_int_equal(rename("other", "config"), 0);
	assert_true(daemon_watch_changed(&w));
	assert_int_equal(unlink("config"), 0);
	assert_false(daemon_watch_changed(&w));
	daemon_watch_close(&w);
	free(paths[0]);
}

static void the_other_end_of_a_link_is_watched(void **state)
{
	char *paths[] = { xasprintf("%s/config", (char *)*state) };
	struct daemon_watch w;

	assert_int_equal(file_make_directories("dotfiles"), 0);
	put("dotfiles/perf");
	assert_int_equal(symlink("dotfiles/perf", "config"), 0);
	daemon_watch_open(&w, paths, 1);
	put("dotfiles/perf");
	assert_true(daemon_watch_changed(&w));
	daemon_watch_close(&w);
	free(paths[0]);
}

static void a_folder_that_is_not_there_is_left_out(void **state)
{
	char *paths[] = { (char *)"/no/such/folder/config" };
	struct daemon_watch w;

	(void)state;
	daemon_watch_open(&w, paths, 1);
	assert_int_equal(w.n, 0);
	assert_false(daemon_watch_changed(&w));
	daemon_watch_close(&w);
}

static void whatever_is_moved_into_a_folder_counts(void **state)
{
	struct daemon_watch w;

	(void)state;
	assert_int_equal(file_make_directories("session-a"), 0);
	daemon_watch_open_folders(&w);
	daemon_watch_add_folder(&w, "session-a");
	daemon_watch_add_folder(&w, "session-a");
	daemon_watch_add_folder(&w, "no-such-folder");
	put("session-a/perf.data");
	assert_false(daemon_watch_changed(&w));
	assert_int_equal(rename("session-a/perf.data", "session-a/perf.data.1"), 0);
	assert_true(daemon_watch_changed(&w));
	assert_false(daemon_watch_changed(&w));
	daemon_watch_close(&w);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_that_is_written_or_replaced_has_changed),
		TEST(the_other_end_of_a_link_is_watched),
		TEST(whatever_is_moved_into_a_folder_counts),
		TEST(a_folder_that_is_not_there_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
