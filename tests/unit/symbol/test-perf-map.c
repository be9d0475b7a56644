/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "symbol/perf-map.h"

/* Checks the name of @addr in @text; "" if it has none. */
static void assert_names(const char *text, uint64_t addr, const char *name)
{
	struct symbol_table t;

	symbol_table_init(&t, NULL);
	perf_map_parse(text, strlen(text), &t);

	const struct symbol *s = symbol_table_find(&t, addr);

	assert_string_equal(s ? s->name : "", name);
	symbol_table_done(&t);
}

static void start_and_size_are_hexadecimal(void **state)
{
	(void)state;
	assert_names("1000 20 f\n", 0x101f, "f");
	assert_names("1000 20 f\n", 0x1020, "");
	assert_names("0x1000 0x20 f\n", 0x101f, "f");
	assert_names("7fffAB00 10 f", 0x7fffab0f, "f");
}

static void a_name_is_the_rest_of_the_line(void **state)
{
	(void)state;
	assert_names("10 10 LazyCompile:~foo bar.js:1 (x) \n", 0x10,
		     "LazyCompile:~foo bar.js:1 (x) ");
	assert_names("10 10  two blanks\n", 0x10, " two blanks");
	assert_names("10 10 _ZN3foo3barEv\n", 0x10, "_ZN3foo3barEv");
}

static void a_later_line_is_newer_code(void **state)
{
	(void)state;
	assert_names("10 10 longer_old_name\n10 10 new\n", 0x18, "new");
	assert_names("20 10 old\n10 20 new\n", 0x18, "new");
}

static void lines_that_are_none_are_skipped(void **state)
{
	static const char *const lines[] = { "",
					     "\n\n",
					     "10\n",
					     "10 10\n",
					     "10 10 \n",
					     "zz 10 f\n",
					     "10 zz f\n",
					     "00000000000000010 10 f\n",
					     "ffffffffffffff00 1000 f\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_names(lines[i], 0x10, "");
	assert_names("junk\n10 10 f\n", 0x10, "f");
}

static void what_cannot_be_read_is_an_error(void **state)
{
	_cleanup_(closep) int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	assert_int_equal(perf_map_read(directory, &t), -EISDIR);
	symbol_table_done(&t);
}

/* Makes a file with @size bytes of @text, and one hole of @hole bytes behind it. */
static int stored(const char *text, size_t size, off_t hole)
{
	int fd = memfd_create("map", MFD_CLOEXEC);

	assert_int_equal(write(fd, text, size), size);
	assert_int_equal(ftruncate(fd, (off_t)size + hole), 0);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static size_t read_names(int fd, int expected)
{
	struct symbol_table t;
	size_t n;

	symbol_table_init(&t, NULL);
	assert_int_equal(perf_map_read(fd, &t), expected);
	n = t.n;
	/* The lines of these tests have sizes of 16, and starts that are multiples of 16. */
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(t.items[i].end, t.items[i].start + 16);
		assert_int_equal(t.items[i].start % 16, 0);
		assert_int_not_equal(t.items[i].start, 0);
	}
	symbol_table_done(&t);
	close(fd);
	return n;
}

static void a_file_is_read_in_pieces(void **state)
{
	enum {
		LINES = 50000,
		LINE = 16
	};
	_cleanup_(freep) char *text = malloc(LINES * LINE + 1);

	(void)state;
	for (int i = 0; i < LINES; i++)
		sprintf(text + i * LINE, "%08x 10 abc\n", (i + 1) * 16);
	assert_int_equal(read_names(stored(text, LINES * LINE, 0), 0), LINES);
	/* The last line has no newline. */
	assert_int_equal(read_names(stored(text, LINES * LINE - 1, 0), 0), LINES);
}

static void a_line_without_end_is_skipped(void **state)
{
	static char text[1 << 20];
	size_t n = 0;

	(void)state;
	n += (size_t)sprintf(text, "10 10 first\n20 10 ");
	memset(text + n, 'x', 600000);
	n += 600000;
	n += (size_t)sprintf(text + n, "\n40 10 last\n");
	assert_int_equal(read_names(stored(text, n, 0), 0), 2);
}

static void a_hole_ends_it(void **state)
{
	(void)state;
	assert_int_equal(read_names(stored("10 10 first\n", 12, 1ll << 34), 1), 1);
	assert_int_equal(read_names(stored("10 10 first\n", 12, 1), 1), 1);
}

static void numbers_have_at_most_16_digits(void **state)
{
	(void)state;
	assert_names("0000000000000010 0000000000000010 f\n", 0x1f, "f");
	assert_names("10 00000000000000010 f\n", 0x10, "");
	assert_names("0x0000000000000010 10 f\n", 0x10, "f");
	assert_names("0X10 0Xa f\n", 0x19, "f");
	assert_names("0X10 0XA f\n", 0x1a, "");
	assert_names("0x 10 f\n", 0x10, "");
	assert_names("g 10 f\n", 0x10, "");
	assert_names("/ 10 f\n", 0, "");
	assert_names(": 10 f\n", 0xa, "");
	assert_names("@ 10 f\n", 0, "");
	assert_names("9 1 f\n", 9, "f");
	assert_names("f 1 f\n", 15, "f");
	assert_names("\t 10 \t 10\tf\n", 0x1f, "f");
	assert_names("10 10x f\n", 0x10, "");
}

static void code_may_end_with_the_last_address(void **state)
{
	(void)state;
	assert_names("fffffffffffffff0 f f\n", 0xfffffffffffffffe, "f");
	assert_names("fffffffffffffff0 10 f\n", 0xfffffffffffffff0, "");
}

static void a_name_has_at_least_one_byte(void **state)
{
	(void)state;
	assert_names("10 10 f", 0x10, "f");
	assert_names("10 10 ", 0x10, "");
	assert_names("10 10", 0x10, "");
}

#define PIECE (256 << 10)

static void what_lies_behind_a_hole_is_not_read(void **state)
{
	int fd = stored("10 10 first\n", 12, PIECE - 12);

	(void)state;
	assert_int_equal(pwrite(fd, "20 10 second\n", 13, PIECE), 13);
	assert_int_equal(read_names(fd, 1), 1);
	/* The line that the hole cuts off may be incomplete. */
	assert_int_equal(read_names(stored("10 10 first\n20 10 second", 24, 1), 1), 1);
}

static void the_rest_of_a_line_that_is_too_long_is_no_line(void **state)
{
	static char text[PIECE + 20];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text + PIECE, "30 10 rest", 10);
	assert_int_equal(read_names(stored(text, PIECE + 10, 0), 0), 0);
	memcpy(text + PIECE + 10, "\n40 10 g", 8);
	assert_int_equal(read_names(stored(text, PIECE + 18, 0), 0), 1);
}

static void a_line_may_fill_a_piece(void **state)
{
	static char text[PIECE + 20];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, "10 10 ", 6);
	memcpy(text + PIECE - 1, "\n20 10 g\n", 9);
	assert_int_equal(read_names(stored(text, PIECE + 8, 0), 0), 2);
	/* With one byte more the line is too long. */
	memcpy(text + PIECE - 1, "x\n20 10 g\n", 10);
	assert_int_equal(read_names(stored(text, PIECE + 9, 0), 0), 1);
	/* The file ends with a piece without a newline. */
	assert_int_equal(read_names(stored(text, PIECE - 1, 0), 0), 1);
	assert_int_equal(read_names(stored(text, PIECE, 0), 0), 0);
}

static void only_whole_lines_follow_a_line_that_is_too_long(void **state)
{
	static const char rest[] = "rest\n40 10 g\n50 10 partial";
	static char text[PIECE + 40];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text + PIECE, rest, sizeof(rest) - 1);
	assert_int_equal(read_names(stored(text, PIECE + sizeof(rest) - 1, 1), 1), 1);
	assert_int_equal(read_names(stored(text, PIECE + sizeof(rest) - 1, 0), 0), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_and_size_are_hexadecimal),
		cmocka_unit_test(a_name_is_the_rest_of_the_line),
		cmocka_unit_test(a_later_line_is_newer_code),
		cmocka_unit_test(lines_that_are_none_are_skipped),
		cmocka_unit_test(what_cannot_be_read_is_an_error),
		cmocka_unit_test(a_file_is_read_in_pieces),
		cmocka_unit_test(a_line_without_end_is_skipped),
		cmocka_unit_test(a_hole_ends_it),
		cmocka_unit_test(numbers_have_at_most_16_digits),
		cmocka_unit_test(code_may_end_with_the_last_address),
		cmocka_unit_test(a_name_has_at_least_one_byte),
		cmocka_unit_test(what_lies_behind_a_hole_is_not_read),
		cmocka_unit_test(the_rest_of_a_line_that_is_too_long_is_no_line),
		cmocka_unit_test(a_line_may_fill_a_piece),
		cmocka_unit_test(only_whole_lines_follow_a_line_that_is_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
