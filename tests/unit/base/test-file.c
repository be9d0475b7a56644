/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"

static int setup(void **state)
{
	char *dir = xstrdup("/tmp/test-file-XXXXXX");

	*state = dir;
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_(freep) char *dir = *state;
	_cleanup_(freep) char *file = xasprintf("%s/file", dir);

	unlink(file);
	return rmdir(dir);
}

static char *put(const char *dir, const char *text, size_t n)
{
	char *path = xasprintf("%s/file", dir);
	_cleanup_(fclosep) FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(text, 1, n, f), n);
	return path;
}

static void a_file_is_read_whole(void **state)
{
	_cleanup_(freep) char *path = put(*state, "a\n\0b", 4);
	_cleanup_(freep) char *text = NULL;
	size_t n;

	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, &n), 0);
	assert_int_equal(n, 4);
	assert_memory_equal(text, "a\n\0b", 5);
}

static void a_name_is_relative_to_its_directory(void **state)
{
	_cleanup_(freep) char *path = put(*state, "x", 1);
	_cleanup_(closep) int dir = open(*state, O_PATH | O_DIRECTORY);
	_cleanup_(freep) char *text = NULL;

	assert_int_equal(file_read(dir, "file", 1, &text, NULL), 0);
	assert_string_equal(text, "x");
}

static void a_file_beyond_the_limit_is_refused(void **state)
{
	_cleanup_(freep) char *path = put(*state, "12345", 5);
	char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 4, &text, NULL), -EFBIG);
	assert_null(text);
}

static void a_large_file_needs_several_reads(void **state)
{
	enum {
		SIZE = 100000
	};
	_cleanup_(freep) char *big = xmalloc(SIZE);
	_cleanup_(freep) char *text = NULL;
	size_t n;

	memset(big, 'x', SIZE);

	_cleanup_(freep) char *path = put(*state, big, SIZE);

	assert_int_equal(file_read(AT_FDCWD, path, SIZE, &text, &n), 0);
	assert_int_equal(n, SIZE);
	assert_memory_equal(text, big, SIZE);
}

static void what_is_not_there_says_so(void **state)
{
	char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, "/nonexistent/file", 1, &text, NULL), -ENOENT);
	assert_int_equal(file_read(AT_FDCWD, *state, 1, &text, NULL), -EISDIR);
	assert_null(text);
}

static void a_replaced_file_has_only_what_is_new(void **state)
{
	_cleanup_(freep) char *path = put(*state, "a long old text", 15);
	_cleanup_(freep) char *below = xasprintf("%s/none/file", (char *)*state), *text = NULL;
	size_t n;

	assert_int_equal(output_file_replace(path, "new", 3, 0644), 0);
	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, &n), 0);
	assert_int_equal(n, 3);
	assert_string_equal(text, "new");
	assert_int_equal(output_file_replace(below, "new", 3, 0644), -ENOENT);
}

static void pieces_are_written_one_behind_the_other(void **state)
{
	_cleanup_(freep) char *path = put(*state, "0123456789", 10);
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct iovec pieces[] = { { "", 0 }, { "ab", 2 }, { "", 0 }, { "c", 1 } };
	_cleanup_(freep) char *text = NULL;
	size_t n;

	assert_int_equal(file_writev(fd, pieces, 4, 4, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(file_write(fd, "X", 1), 0);
	assert_int_equal(file_write(fd, "Y", 1), 0);
	assert_int_equal(file_write_at(fd, "Z", 1, 9), 0);
	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, NULL), 0);
	assert_string_equal(text, "XY23abc78Z");
}

/* Beyond the limit on a file's size, a write is short and the next one fails. */
static void a_write_that_ends_early_tells_how_much_went(void **state)
{
	_cleanup_(freep) char *path = put(*state, "", 0);
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct iovec pieces[] = { { "abc", 3 }, { "defgh", 5 } };
	struct rlimit before, small;
	size_t n;
	int r;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 5, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	r = file_writev(fd, pieces, 2, -1, &n);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(r, -EFBIG);
	assert_int_equal(n, 5);
	assert_int_equal(file_write(-1, "x", 1), -EBADF);
}

static void a_line_loses_its_newline(void **state)
{
	_cleanup_(freep) char *path = put(*state, "one \ntwo\n", 9);
	_cleanup_(freep) char *line = NULL;

	assert_int_equal(file_read_line(AT_FDCWD, path, &line), 0);
	assert_string_equal(line, "one ");
}

static void a_program_is_found_along_the_path(void **state)
{
	_cleanup_(freep) char *path = put(*state, "#!", 2);
	_cleanup_(freep) char *search = xasprintf("/nonexistent::%s", (char *)*state);

	setenv("PATH", search, 1);
	assert_false(file_is_program("file"));
	chmod(path, 0755);
	assert_true(file_is_program("file"));
	assert_true(file_is_program(path));
	assert_false(file_is_program("no-such-program"));
	assert_false(file_is_program(*state)); /* a directory may be entered, not run */
	assert_false(file_is_program(""));
	unsetenv("PATH");
	assert_false(file_is_program("file"));
}

static void data_goes_into_a_pipe_without_messages(void **state)
{
	int one[2], other[2];

	(void)state;
	assert_int_equal(pipe(one), 0);
	assert_int_equal(pipe(other), 0);
	assert_true(file_is_data_pipe(one[1], other[1]));
	assert_true(file_is_data_pipe(one[1], -1));
	assert_false(file_is_data_pipe(one[1], one[1]));
	assert_int_equal(dup2(one[1], other[1]), other[1]);
	assert_false(file_is_data_pipe(one[1], other[1]));
	assert_false(file_is_data_pipe(-1, one[1]));
	for (size_t i = 0; i < 2; i++) {
		close(one[i]);
		close(other[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_is_read_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(a_name_is_relative_to_its_directory, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_file_beyond_the_limit_is_refused, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_large_file_needs_several_reads, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_not_there_says_so, setup, teardown),
		cmocka_unit_test_setup_teardown(a_replaced_file_has_only_what_is_new, setup,
						teardown),
		cmocka_unit_test_setup_teardown(pieces_are_written_one_behind_the_other, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_write_that_ends_early_tells_how_much_went, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_line_loses_its_newline, setup, teardown),
		cmocka_unit_test_setup_teardown(a_program_is_found_along_the_path, setup, teardown),
		cmocka_unit_test(data_goes_into_a_pipe_without_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
