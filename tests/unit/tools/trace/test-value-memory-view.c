/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void names_are_quoted_and_escaped(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "unlink", 0x1000);
	points_to(&m, 0, 0, "/etc/ld.so.cache\0garbage", 24, 0);
	assert_args(&m, &named, "pathname: \"/etc/ld.so.cache\"");
	MADE(&m, "unlink", 0x1000);
	points_to(&m, 0, 0, "a\"\033[31m\n\\\377", 11, 0);
	assert_args(&m, &named, "pathname: \"a\\\"\\x1b[31m\\n\\\\\\xff\"");
	MADE(&m, "unlink", 0x1000);
	points_to(&m, 0, 0, "/very/lo", 8, CALL_DATA_MORE);
	assert_args(&m, &named, "pathname: \"/very/lo\"...");
}

static void buffers_have_no_quotes_without_names(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "write", 1, 0x1000, 15);
	points_to(&m, 1, 0, "buffer content\n", 15, 0);
	assert_args(&m, &named, "fd: 1, buf: \"buffer content\\n\", count: 15");
	assert_args(&m, &bare, "1, buffer content\\n, 15");
	MADE(&m, "write", 1, 0x1000, 3);
	points_to(&m, 1, 0, "\0\1\2", 3, CALL_DATA_MORE);
	assert_args(&m, &named, "fd: 1, buf: \"\\0\\x01\\x02\"..., count: 3");
}

static void what_cannot_be_read_is_a_pointer(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "unlink", 0x1000);
	points_to(&m, 0, 0, NULL, 0, CALL_DATA_FAULT);
	assert_args(&m, &named, "pathname: 0x1000");
}

static void an_empty_piece_is_an_empty_string(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "unlink", 0x1000);
	points_to(&m, 0, 0, "", 0, 0);
	assert_args(&m, &named, "pathname: \"\"");
}

static void lists_of_strings_are_arrays(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "execve", 0x1000, 0x2000, 0x3000);
	points_to(&m, 0, 0, "/bin/ls", 8, 0);
	points_to(&m, 1, 0, "ls", 3, 0);
	points_to(&m, 1, 1, "-l", 3, 0);
	assert_args(&m, &named, "filename: \"/bin/ls\", argv: [\"ls\", \"-l\"], envp: 0x3000");
	m.data[2].flags = CALL_DATA_MORE;
	points_to(&m, 1, 2, NULL, 0, CALL_DATA_MORE);
	assert_args(&m, &bare, "\"/bin/ls\", [\"ls\", \"-l\"..., ...], 0x3000");
	m.data[3].flags = CALL_DATA_FAULT;
	assert_args(&m, &bare, "\"/bin/ls\", [\"ls\", \"-l\"..., ...], 0x3000");
}

static void numbers_are_arrays(void **state)
{
	(void)state;
	const int32_t fds[] = { 3, -4 };
	struct made_call m;

	MADE(&m, "pipe", 0x1000);
	points_to(&m, 0, 0, fds, sizeof(fds), CALL_DATA_AT_EXIT);
	assert_args(&m, &named, "fildes: [3, -4]");
	m.data[0].size = 7;
	assert_args(&m, &named, "fildes: [3, ...]");
}

static void the_newest_copy_counts(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "unlink", 0x1000);
	points_to(&m, 0, 0, "old", 3, 0);
	points_to(&m, 0, 0, "new", 3, CALL_DATA_AT_EXIT);
	assert_args(&m, &named, "pathname: \"new\"");
	points_to(&m, 0, 0, NULL, 0, CALL_DATA_AT_EXIT | CALL_DATA_FAULT);
	assert_args(&m, &named, "pathname: \"new\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_quoted_and_escaped),
		cmocka_unit_test(buffers_have_no_quotes_without_names),
		cmocka_unit_test(what_cannot_be_read_is_a_pointer),
		cmocka_unit_test(an_empty_piece_is_an_empty_string),
		cmocka_unit_test(lists_of_strings_are_arrays),
		cmocka_unit_test(numbers_are_arrays),
		cmocka_unit_test(the_newest_copy_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
