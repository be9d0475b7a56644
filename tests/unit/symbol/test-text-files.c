/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/text-files.h"

static const struct text_files_options as_they_are;

struct fixture {
	char path[64];
	struct text_files *files;
};

static int setup(void **state)
{
	static struct fixture f;
	int fd;

	strcpy(f.path, "/tmp/test-source-XXXXXX");
	fd = mkstemp(f.path);
	if (fd < 0)
		return -1;
	close(fd);
	f.files = text_files_new(&as_they_are);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	text_files_free(f->files);
	unlink(f->path);
	return 0;
}

static void write_text(const struct fixture *f, const char *text)
{
	FILE *file = fopen(f->path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void assert_line(struct fixture *f, uint32_t number, const char *expected)
{
	const struct text_file *file = text_files_find(f->files, f->path);
	size_t n = 0;
	const char *text;

	assert_non_null(file);
	text = text_file_line(file, number, &n);
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(text, expected, n);
}

static void lines_are_counted_from_one(void **state)
{
	struct fixture *f = *state;

	write_text(f, "int a;\n\n\tint b;\n");
	assert_line(f, 1, "int a;");
	assert_line(f, 2, "");
	assert_line(f, 3, "\tint b;");
	assert_line(f, 4, "");
	assert_int_equal(text_file_lines(text_files_find(f->files, f->path)), 3);
}

static void the_last_line_needs_no_newline(void **state)
{
	struct fixture *f = *state;

	write_text(f, "one\ntwo");
	assert_line(f, 1, "one");
	assert_line(f, 2, "two");
	assert_int_equal(text_file_lines(text_files_find(f->files, f->path)), 2);
}

static void what_is_no_regular_file_is_not_here(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	assert_null(text_files_find(f->files, f->path));
	assert_null(text_files_find(f->files, "/"));
	assert_null(text_files_find(f->files, "/dev/zero"));
}

static void sources_may_lie_below_another_directory(void **state)
{
	struct fixture *f = *state;
	struct text_files *moved =
		text_files_new(&(struct text_files_options){ .prefix = "/tmp", .strip = 2 });
	char *built = NULL;

	write_text(f, "moved\n");
	assert_true(asprintf(&built, "/build/deep%s", strrchr(f->path, '/')) > 0);
	assert_null(text_files_find(f->files, built));
	assert_non_null(text_files_find(moved, built));
	assert_null(text_files_find(moved, "relative.c"));
	free(built);
	text_files_free(moved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_are_counted_from_one, setup, teardown),
		cmocka_unit_test_setup_teardown(the_last_line_needs_no_newline, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_regular_file_is_not_here, setup,
						teardown),
		cmocka_unit_test_setup_teardown(sources_may_lie_below_another_directory, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
