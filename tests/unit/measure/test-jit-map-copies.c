/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "kernel/kept-files.h"
#include "measure/jit-map-copies.h"
#include "scratch-folder.h"
#include "skip.h"

#define OTHER 65533

static int copied(const char *from, const char *to, uint64_t most, uint64_t *ret)
{
	_cleanup_(closep) int fd = open(from, O_RDONLY | O_CLOEXEC);

	return jit_map_copy(fd, to, most, ret);
}

static void assert_text(const char *path, const char *expected)
{
	_cleanup_(freep) char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, NULL), 0);
	assert_string_equal(text, expected);
}

static void a_map_is_copied_with_the_rights_of_readers(void **state)
{
	uint64_t size = 0;
	struct stat st;

	(void)state;
	assert_int_equal(output_file_replace("open", "1 2 f\n", 6, 0600), 0);
	assert_int_equal(chmod("open", 0666), 0);
	assert_int_equal(copied("open", "copy", 6, &size), 0);
	assert_int_equal(size, 6);
	assert_text("copy", "1 2 f\n");
	assert_int_equal(stat("copy", &st), 0);
	assert_int_equal(st.st_mode & 0777 & ~0644u, 0);

	assert_int_equal(output_file_replace("secret", "3 4 g\n", 6, 0600), 0);
	assert_int_equal(copied("secret", "copy", 6, &size), 0);
	assert_text("copy", "3 4 g\n");
	assert_int_equal(stat("copy", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_map_that_is_too_large_is_not_copied(void **state)
{
	uint64_t size = 7;

	(void)state;
	assert_int_equal(output_file_replace("large", "1 2 f\n", 6, 0600), 0);
	assert_int_equal(copied("large", "none", 5, &size), -EFBIG);
	assert_int_equal(size, 7);
	assert_int_equal(access("none", F_OK), -1);
}

static void what_is_not_ours_stays(void **state)
{
	uint64_t size;

	(void)state;
	assert_int_equal(output_file_replace("from", "1 2 f\n", 6, 0600), 0);
	assert_int_equal(output_file_replace("goal", "goal", 4, 0600), 0);
	assert_int_equal(symlink("goal", "link"), 0);
	assert_int_equal(copied("from", "link", 6, &size), -EEXIST);
	assert_text("link", "goal");
	if (geteuid() != 0)
		skip_because("only root may do this");
	assert_int_equal(output_file_replace("theirs", "theirs", 6, 0600), 0);
	assert_int_equal(chown("theirs", OTHER, OTHER), 0);
	assert_int_equal(copied("from", "theirs", 6, &size), -EEXIST);
	assert_text("theirs", "theirs");
}

static void what_was_copied_and_what_was_not_is_told(void **state)
{
	struct jit_map_copy items[] = { { .pid = 7, .size = 5 },
					{ .pid = 8, .error = -EEXIST },
					{ .pid = 9, .error = -ENOSPC } };
	const struct jit_map_copies one = { items, 1, 1 }, all = { items, 3, 3 };
	struct notes n = { 0 };

	(void)state;
	jit_map_copies_tell(&(struct jit_map_copies){ 0 }, NULL, &n);
	assert_int_equal(n.n, 0);
	jit_map_copies_tell(&one, NULL, &n);
	assert_int_equal(n.n, 1);
	assert_non_null(strstr(n.items[0].what.message, "/tmp/perf-7.map"));
	jit_map_copies_tell(&all, NULL, &n);
	assert_int_equal(n.n, 3);
	assert_int_equal(n.items[2].kind, NOTE_WARNING);
	assert_non_null(strstr(n.items[2].what.message, "of 2 processes"));
	assert_non_null(strstr(n.items[2].what.message, "'/tmp/perf-8.map': a file of another"));
	notes_done(&n);
}

static void a_process_that_is_in_no_container_has_no_copy(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(jit_map_copies_done) struct jit_map_copies c = { 0 };

	(void)state;
	jit_map_copies_add(&c, k, getpid());
	kept_files_keep_jit_maps(k);
	jit_map_copies_add(&c, k, getpid());
	assert_int_equal(c.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_is_copied_with_the_rights_of_readers),
		cmocka_unit_test(a_map_that_is_too_large_is_not_copied),
		cmocka_unit_test(what_is_not_ours_stays),
		cmocka_unit_test(what_was_copied_and_what_was_not_is_told),
		cmocka_unit_test(a_process_that_is_in_no_container_has_no_copy),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
