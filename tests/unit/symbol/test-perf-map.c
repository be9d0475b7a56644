/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "symbol/perf-map.h"

/* What @addr is called by @text, "" for nothing. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_and_size_are_hexadecimal),
		cmocka_unit_test(a_name_is_the_rest_of_the_line),
		cmocka_unit_test(a_later_line_is_newer_code),
		cmocka_unit_test(lines_that_are_none_are_skipped),
		cmocka_unit_test(what_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
